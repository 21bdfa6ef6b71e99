// A published file becomes a model, on one page: seven sizes, then the parameters in the order of the format, that of
// llama2.c, version 0. The model writes a sentence, and each of its numbers is what the library's own reader finds.
#include "examples/program.h"
#include "examples/published/all.h"
#include "nn/all.h"
#include "tensor/io/file.h"
#include "tensor/io/stored.h"

#include <algorithm>

using namespace regard;
using namespace regard::nn;

Llama read_model(const std::string& path) {
  const std::string bytes = read_file(path);
  if (bytes.size() < 28) fail<IoError>("{}: the sizes take 28 bytes, and the file has {}", path, bytes.size());
  std::string_view rest = bytes;
  const auto next = [&](StoredType type, const Shape& shape) {  // the next numbers of the file, row after row
    const std::string_view taken = rest.substr(0, static_cast<std::size_t>(shape.numel()) * size_of(type));
    rest.remove_prefix(taken.size());
    return widen(taken, type, shape);
  };
  const auto size = [&] { return static_cast<std::int64_t>(next(StoredType::i32, {}).item()); };
  const LlamaOptions o{.model = size(),  // braces are filled from the first to the last: the order of the file
                       .hidden = size(),
                       .layers = size(),
                       .heads = size(),
                       .key_value_heads = size(),
                       .vocabulary = size(),
                       .longest = size(),
                       .layout = RotaryLayout::interleaved};  // no shape shows it: the format decides
  if (const std::string fault = fault_of(o); !fault.empty()) fail<IoError>("{}: {}", path, fault);
  if (static_cast<double>(rest.size()) != 4 * (number_count(o) + static_cast<double>(o.longest * o.head_size())))
    fail<IoError>("{} is not as long as its sizes say: it is cut off, or another file", path);

  // book: read_a_model
  Generator unused(0);  // every number that is drawn is replaced
  Llama model = make_llama(o, unused);
  std::map<std::string, Variable> ours;
  for (const auto& [name, parameter] : named_parameters(model)) ours.emplace(name, parameter);
  const auto read = [&](const std::string& name) {
    Variable& parameter = ours.at(name + ".weight");
    assign(parameter, next(StoredType::f32, parameter.shape()));
  };
  read("embedding.tokens");
  for (const char* part : {"norm_attention", "attention.w_q", "attention.w_k", "attention.w_v", "attention.w_o",
                           "norm_feed_forward", "feed_forward.gate", "feed_forward.down", "feed_forward.up"})
    for (std::int64_t layer = 0; layer < o.layers; ++layer) read(fmt::format("decoder.layers.{}.{}", layer, part));
  read("decoder.norm");  // cosines and sines of all positions are left, longest·head_size: the model computes its own
  // book: /read_a_model
  return model;
}

int main(int argc, char** argv) {
  Program program("A published file becomes a model, which writes a sentence");
  std::string file = REGARD_EXAMPLE_DATA "/stories260K.bin";
  program.text("--file", file, "a Llama of llama2.c, version 0, with the tokens of tok512.bin", "FILE");
  if (!program.parse(argc, argv)) return program.exit_code();

  Llama model = read_model(file), library = llama_from(load_llama2c(file));
  const auto pieces = SentencePieces::load(REGARD_EXAMPLE_DATA "/tok512.bin", model.vocabulary());
  const Tokens words = generate(writer(model), {{pieces.first()}}, {.tokens = 99, .end = pieces.encode(".").back()})[0];
  fmt::print("It writes:{}.\n", pieces.decode(words));  // a word begins with its blank
  const auto is_same = [](const Variable& a, const Variable& b) { return identical(a.value(), b.value()); };
  const bool same = std::ranges::equal(parameters(model), parameters(library), is_same);
  fmt::print("{} numbers, each as the library reads it: {}\n", parameter_count(model), same ? "PASS" : "FAIL");
  return same ? 0 : 1;
}
