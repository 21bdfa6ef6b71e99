// Mutations of valid checkpoints and tokenizers.
#include "examples/published/byte_pairs.h"
#include "examples/published/hugging_face.h"
#include "examples/published/llama2c.h"
#include "examples/published/mingpt.h"
#include "examples/published/sentence_pieces.h"
#include "tensor/all.h"
#include "tests/nn/fuzzer.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/folder.h"

namespace regard::nn {

namespace {

const std::vector<std::string> json_words = {
    "{",    "}",       "[",     "]",  ",",   ":",        "\"",
    "\\",   "0",       "1",     "-1", "1e9", "1.5",      "null",
    "true", "\\u0000", "[2,2]", "[]", "{}",  "\"a\":1,", "99999999999999999999",
    "\"\"", " "};

// One or two changes, of which `share` in 8 are among the first bytes.
std::string changed(std::string bytes, Mutator& mutator, std::size_t first = 0, std::uint64_t share = 0) {
  for (auto changes = 1 + mutator.below(2); changes > 0 && !bytes.empty(); --changes) {
    const bool is_early = mutator.below(8) < share && first < bytes.size();
    mutator.change(bytes, mutator.below(is_early ? first : bytes.size()));
  }
  return bytes;
}

bool fits(const std::map<std::string, Tensor>& tensors, std::size_t bytes) {
  std::size_t numbers = 0;
  for (const auto& [name, x] : tensors) numbers += static_cast<std::size_t>(x.numel());
  return numbers <= bytes;
}

// A minGPT with 2 features, all numbers 0.
std::string small_mingpt() {
  std::string text =
      "{\"config\":{\"n_layer\":1,\"n_head\":1,\"n_embd\":2,\"vocab_size\":2,\"block_size\":2,\"model_type\":null}";
  const auto add = [&](const std::string& name, std::int64_t rows, std::int64_t columns) {
    const std::int64_t bytes = 4 * rows * std::max<std::int64_t>(columns, 1);
    std::string data(static_cast<std::size_t>((bytes + 2) / 3 * 4), 'A');
    for (std::int64_t i = 0; i < (3 - bytes % 3) % 3; ++i) data[data.size() - 1 - static_cast<std::size_t>(i)] = '=';
    text += fmt::format(",\"{}\":{{\"shape\":[{}{}],\"dtype\":\"torch.float32\",\"data\":\"{}\"}}", name, rows,
                        columns == 0 ? "" : "," + std::to_string(columns), data);
  };
  const std::string h = "transformer.h.0.";
  for (const char* name : {"transformer.wte.weight", "transformer.wpe.weight", "lm_head.weight"}) add(name, 2, 2);
  for (const std::string& name : {h + "ln_1", h + "ln_2", std::string("transformer.ln_f")})
    for (const char* kind : {".weight", ".bias"}) add(name + kind, 2, 0);
  const std::tuple<const char*, std::int64_t, std::int64_t> layers[] = {
      {"attn.c_attn", 6, 2}, {"attn.c_proj", 2, 2}, {"mlp.c_fc", 8, 2}, {"mlp.c_proj", 2, 8}};
  for (const auto& [name, out, in] : layers) {
    add(h + name + ".weight", out, in);
    add(h + name + ".bias", out, 0);
  }
  return text + "}";
}

}  // namespace

TEST_CASE("llama2.c fuzz: files of all versions with a few changes") {
  std::vector<std::string> files;
  for (const int version : {0, 1, 2})
    files.push_back(read_file(reference_data / fmt::format("llama2c_v{}.bin", version)));
  Mutator mutator({"24ka", std::string(4, '\0'), std::string("\1\0\0\0", 4), std::string("\2\0\0\0", 4)}, 1);
  fuzz(20'000, [&] {
    const std::string bytes = changed(files[mutator.below(3)], mutator, 48, 6);
    return fits(parse_llama2c(bytes, "x").tensors, bytes.size());
  });
}

TEST_CASE("hugging face fuzz: configs with a few changes") {
  const Folder folder;
  save_hugging_face(folder / "x", load_llama2c(reference_data / "llama2c_v2.bin"));
  const std::string config = read_file(folder / "x/config.json"), tensors = read_file(folder / "x/model.safetensors");
  Mutator mutator(json_words, 2);
  fuzz(5'000, [&] { return fits(parse_hugging_face(changed(config, mutator), tensors, "x").tensors, tensors.size()); });
}

TEST_CASE("minGPT fuzz: files with a few changes") {
  const std::string text = small_mingpt();
  CHECK(parse_mingpt(text, "x").tensors.size() == 21);
  Mutator mutator(json_words, 3);
  fuzz(5'000, [&] {
    const std::string bytes = changed(text, mutator);
    return fits(parse_mingpt(bytes, "x").tensors, bytes.size());
  });
}

TEST_CASE("sentence pieces fuzz: files with a few changes") {
  const std::string file = read_file(example_data / "tok512.bin");
  Mutator mutator({"<0x00>", std::string(4, '\0'), "\xFF\xFF\xFF\xFF", std::string("\0\0\x80\x7F", 4)}, 4);
  fuzz(5'000, [&] {
    const std::string bytes = changed(file, mutator);
    const SentencePieces pieces = SentencePieces::parse(bytes, "x");
    const std::string text = "Once upon a time, there was a ß";
    Tokens tokens = pieces.encode(text);
    tokens.insert(tokens.begin(), SentencePieces::begin);
    pieces.decode(tokens);
    return 8 * static_cast<std::size_t>(pieces.size()) < bytes.size();
  });
}

TEST_CASE("byte pairs fuzz: files with a few changes") {
  const Folder folder;
  BytePairs::train("the cat and the other that there", {.vocabulary = 270, .special = {"<end>"}}).save(folder.path());
  const std::string vocabulary = read_file(folder / "vocab.json"), merges = read_file(folder / "merges.txt");
  std::vector<std::string> words = json_words;
  words.insert(words.end(), {"Ġ", "Ġ t", "\n", "t h", "#version", "Ã"});
  Mutator mutator(words, 5);
  fuzz(5'000, [&] {
    const bool both = mutator.below(3) == 0, first = mutator.below(2) == 0;
    const BytePairs pairs = BytePairs::parse(both || first ? changed(vocabulary, mutator) : vocabulary,
                                             both || !first ? changed(merges, mutator) : merges, "x");
    const std::string text = "the cat <end> ß other";
    if (pairs.decode(pairs.encode(text)) != text) FAIL("a text is not what it was");
    return true;
  });
}

}  // namespace regard::nn
