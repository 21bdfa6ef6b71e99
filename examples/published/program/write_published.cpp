// A published model, from the folder as it is downloaded, goes on with a text:
//
//   ./examples/run published FOLDER --prompt "Once upon a time" --top 5 --heads heads.png
#include "autograd/ops/softmax.h"
#include "examples/program.h"
#include "examples/published/all.h"
#include "examples/trainers/heads.h"
#include "nn/decoding/generate.h"
#include "nn/text/unicode.h"
#include "tensor/ops/order.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>

using namespace regard;
using namespace regard::nn;

namespace {

struct Settings {
  std::vector<std::string> folder;
  std::string prompt = "Once upon a time", heads, dtype = "stored";
  int tokens = 100, top = 0;
  double temperature = 0, top_p = 1;
  std::uint64_t seed = 1;
};

FromCheckpointOptions options_of(const Settings& settings) {
  if (settings.dtype == "stored") return {};
  return {.dtype = settings.dtype == "f64" ? DType::f64 : settings.dtype == "f32" ? DType::f32 : DType::bf16};
}

// A token as one can print it: its bytes where they are no characters.
std::string shown(std::string text) {
  std::string result;
  for (std::string_view rest = text; !rest.empty();) {
    const auto [code, bytes] = first_character(rest);
    result += code == not_a_character ? fmt::format("<{:02X}>", static_cast<unsigned char>(rest[0]))
              : code == '\n'          ? "⏎"
                                      : std::string(rest.substr(0, bytes));
    rest.remove_prefix(bytes);
  }
  return result;
}

// How likely each token was thought to be to come next, for the likeliest ones: "  cat 31.2 %  dog 20.4 %".
void print_likeliest(const Tensor& logits, const PublishedTokenizer& words, std::int64_t count) {
  const Tensor shares = flatten(softmax(to(logits, DType::f64), -1)), order = argsort(shares, 0, SortOrder::descending);
  for (std::int64_t i = 0; i < std::min(count, order.numel()); ++i) {
    const auto token = static_cast<std::int64_t>(order.at({i}));
    fmt::print("  [{}] {:.1f} %", shown(words.text_of(token, 0)), 100 * shares.at({token}));
  }
  fmt::print("\n");
}

// Goes on with the tokens, each printed as soon as it is known, and returns how many a second were written.
double write(const Writer& writer, Tokens& text, const PublishedTokenizer& words, const Tokens& ends,
             const Settings& settings) {
  std::vector<LogitsRule> rules;
  std::vector<Generator> generators;
  if (settings.temperature > 0) {
    rules = sampling_rules({.temperature = settings.temperature, .top_p = settings.top_p});
    generators = {Generator(settings.seed)};
  }
  Tensor logits = writer.read(unsqueeze(token_tensor(text), 0));
  const auto before = std::chrono::steady_clock::now();
  int written = 0;
  while (written < settings.tokens && (writer.longest == 0 || std::ssize(text) < writer.longest)) {
    const Tensor so_far = unsqueeze(token_tensor(text), 0);
    Tensor choice = logits;
    for (const LogitsRule& rule : rules) choice = rule(choice, so_far);
    const Tensor drawn = generators.empty() ? most_likely(choice) : draw_tokens(choice, generators);
    const auto token = static_cast<std::int64_t>(drawn.item());
    if (std::ranges::count(ends, token) > 0) break;
    fmt::print("{}", words.text_of(token, text.back()));
    if (settings.top > 0) print_likeliest(logits, words, settings.top);
    std::fflush(stdout);
    text.push_back(token);
    ++written;
    if (written < settings.tokens) logits = writer.read(unsqueeze(token_tensor({token}), 0));
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - before;
  fmt::print("\n");
  return written / took.count();
}

void draw_heads(const Llama& model, const Tokens& text, const PublishedTokenizer& words, const std::string& file) {
  const Tokens few(text.begin(), text.begin() + std::min<std::int64_t>(std::ssize(text), 24));
  std::vector<std::string> names;
  for (std::size_t i = 0; i < few.size(); ++i) names.push_back(shown(words.text_of(few[i], i == 0 ? -1 : few[i - 1])));
  heads_figure(looks_at(model, few), names).save(file);
}

void run(const Settings& settings) {
  const std::filesystem::path folder = settings.folder.at(0);
  const LlamaCheckpoint checkpoint = load_hugging_face(folder);
  const PublishedTokenizer words = PublishedTokenizer::load(folder);
  if (words.size() > checkpoint.options.vocabulary)
    fail<ValueError>("the tokenizer has {} tokens, and the model {}: it is that of another model", words.size(),
                     checkpoint.options.vocabulary);
  const Llama model = llama_from(checkpoint, options_of(settings));
  Tokens text = words.encode(settings.prompt);
  if (text.empty()) fail<ValueError>("a text to go on with is needed (--prompt)");
  fmt::print("{}", words.decode(text));
  const double speed = write(writer(model), text, words, checkpoint.ends, settings);
  if (!settings.heads.empty()) draw_heads(model, text, words, settings.heads);
  std::fprintf(stderr, "%.1f tokens a second\n", speed);
}

}  // namespace

int main(int argc, char** argv) {
  Program program("A published model, from the folder as it is downloaded, goes on with a text");
  Settings settings;
  program.words("FOLDER", settings.folder, "config.json, the weights in safetensors, tokenizer.json");
  program.text("--prompt", settings.prompt, "The text to go on with", "TEXT");
  program.option("--tokens", settings.tokens, "How many tokens are written at most", 0, 1'000'000);
  program.option("--temperature", settings.temperature, "0: always the likeliest token; 1: as it was learned", 0, 10);
  program.option("--top-p", settings.top_p, "Only the likeliest tokens, of this probability together", 0.01, 1);
  program.option("--seed", settings.seed, "Of the tokens that are drawn");
  program.option("--top", settings.top, "After each token, so many of those that might have come", 0, 100);
  program.text("--heads", settings.heads, "A picture of where each head looks in the first 24 tokens", "FILE");
  program.choice("--dtype", settings.dtype, "How matrices are held", {"stored", "bf16", "f32", "f64"});
  if (!program.parse(argc, argv)) return program.exit_code();
  if (settings.folder.size() != 1) {
    std::fprintf(stderr, "one FOLDER is needed (see --help)\n");
    return 2;
  }
  run(settings);
  return 0;
}
