// Published Llamas: files of llama2.c that an independent script wrote (make_llama2c.py), and a real model in two
// formats, of which another script made one from the other (make_stories.py).
#include "examples/published/bytes.h"
#include "examples/published/hugging_face.h"
#include "examples/published/llama2c.h"
#include "examples/published/published.h"
#include "nn/save/safetensors.h"
#include "tensor/all.h"
#include "tensor/io/stored.h"
#include "tests/catch.h"
#include "tests/nn/text_data.h"
#include "tests/tensor/folder.h"

namespace regard::nn {

namespace {

void check_same(const std::map<std::string, Tensor>& a, const std::map<std::string, Tensor>& b) {
  CHECK(a.size() == b.size());
  for (const auto& [name, x] : b) {
    CAPTURE(name);
    REQUIRE(a.contains(name));
    CHECK(identical(a.at(name), x));
  }
}

LlamaCheckpoint stories() { return load_llama2c(example_data / "stories260K.bin"); }

const LlamaOptions small{.model = 8,
                         .hidden = 12,
                         .layers = 2,
                         .heads = 4,
                         .key_value_heads = 2,
                         .vocabulary = 10,
                         .longest = 6,
                         .layout = RotaryLayout::interleaved,
                         .tied = false};

}  // namespace

TEST_CASE("llama2.c: versions 0, 1 and 2 are read") {
  for (const int version : {0, 1, 2}) {
    CAPTURE(version);
    const std::string name = fmt::format("llama2c_v{}", version);
    const LlamaCheckpoint read = load_llama2c(reference_data / (name + ".bin"));
    LlamaOptions options = small;
    options.tied = version == 2;
    CHECK(read.options == options);
    check_same(read.tensors, load_safetensors(reference_data / (name + ".safetensors")).tensors);
  }
}

TEST_CASE("llama2.c: the real model has the sizes and the numbers it should have") {
  const LlamaCheckpoint read = stories();
  CHECK(read.options == LlamaOptions{.model = 64,
                                     .hidden = 172,
                                     .layers = 5,
                                     .heads = 8,
                                     .key_value_heads = 4,
                                     .vocabulary = 512,
                                     .longest = 512,
                                     .layout = RotaryLayout::interleaved});
  CHECK(number_count(read.options) == 260032);
  CHECK(fault_of(read) == "");
  double numbers = 0;
  for (const auto& [name, x] : read.tensors) numbers += static_cast<double>(x.numel());
  CHECK(numbers == 260032);
}

TEST_CASE("llama2.c: versions 0 and 1 are written, and are what was read") {
  const Folder folder;
  for (const bool tied : {true, false}) {
    CAPTURE(tied);
    const LlamaCheckpoint read = tied ? stories() : load_llama2c(reference_data / "llama2c_v0.bin");
    for (const Llama2cVersion version : {Llama2cVersion::v0, Llama2cVersion::v1}) {
      save_llama2c(folder / "x", read, version);
      const LlamaCheckpoint again = load_llama2c(folder / "x");
      CHECK(again.options == read.options);
      check_same(again.tensors, read.tensors);
    }
  }
  save_llama2c(folder / "x", load_llama2c(reference_data / "llama2c_v1.bin"), Llama2cVersion::v1);
  CHECK(read_file(folder / "x") == read_file(reference_data / "llama2c_v1.bin"));
}

TEST_CASE("llama2.c: version 0 is written as it was, and its tables are what others compute") {
  const Folder folder;
  save_llama2c(folder / "x", stories(), Llama2cVersion::v0);
  const std::string ours = read_file(folder / "x"), theirs = read_file(example_data / "stories260K.bin");
  REQUIRE(ours.size() == theirs.size());
  const std::size_t tables = 28 + 4 * 260032;
  CHECK((ours.substr(0, tables) == theirs.substr(0, tables)));
  const auto numbers = [&](const std::string& bytes) {
    return widen(bytes.substr(tables), StoredType::f32, {512 * 8});
  };
  CHECK(allclose(numbers(ours), numbers(theirs), 0, 1e-4));  // their angles, up to 511, are f32
}

TEST_CASE("hugging face: the real model as it is stored there is the same, in another layout") {
  const LlamaCheckpoint theirs = load_hugging_face(reference_data / "stories260K"), ours = stories();
  CHECK(theirs.options.layout == RotaryLayout::halves);
  const LlamaCheckpoint turned = with_layout(theirs, RotaryLayout::interleaved);
  CHECK(turned.options == ours.options);
  check_same(turned.tensors, ours.tensors);
  check_same(with_layout(ours, RotaryLayout::halves).tensors, theirs.tensors);
  check_same(with_layout(ours, RotaryLayout::interleaved).tensors, ours.tensors);
  const std::string q = "model.layers.0.self_attn.q_proj.weight";
  CHECK_FALSE(identical(theirs.tensors.at(q), ours.tensors.at(q)));
}

TEST_CASE("llama: one whose layers have windows is not written as a plain one, and says it of each layer") {
  const Folder folder;
  LlamaCheckpoint model = stories();
  model.options.window = 4;
  model.options.in_window = {true};
  Generator g(1);
  CHECK_THROWS_WITH(make_llama(model.options, g),
                    "make_llama: in_window says of 1 layers whether they have a window, and there are 5");
  model.options.in_window.resize(5);
  CHECK_THROWS_WITH(save_llama2c(folder / "x", model, Llama2cVersion::v1),
                    Catch::Matchers::ContainsSubstring("Llamas only"));
  CHECK_THROWS_AS(save_hugging_face(folder / "y", model), ValueError);
  CHECK_THROWS_WITH(with_layout(model, RotaryLayout::halves), Catch::Matchers::ContainsSubstring("a plain Llama"));
}

TEST_CASE("hugging face: a folder is written, tied or not, from either layout, and is what was read") {
  const Folder folder;
  const LlamaCheckpoint untied = load_llama2c(reference_data / "llama2c_v0.bin");
  for (const LlamaCheckpoint& checkpoint : {stories(), untied, with_layout(untied, RotaryLayout::halves)}) {
    save_hugging_face(folder / "x", checkpoint);
    const LlamaCheckpoint again = load_hugging_face(folder / "x");
    CHECK(again.options.layout == RotaryLayout::halves);
    const LlamaCheckpoint turned = with_layout(again, checkpoint.options.layout);
    CHECK(turned.options == checkpoint.options);
    check_same(turned.tensors, checkpoint.tensors);
  }
  save_hugging_face(folder / "x", stories());
  check_same(load_safetensors(folder / "x/model.safetensors").tensors,
             load_safetensors(reference_data / "stories260K/model.safetensors").tensors);
}

TEST_CASE("layouts: rows of each head change places, counted by hand for 3 heads of 6 and 2 of 4") {
  const auto rows = [](std::int64_t n) { return expand(unsqueeze(arange(n), 1), {n, 2}); };
  const auto order = [](const Tensor& x) { return to_vector(select(x, 1, 0)); };
  const Tensor q = reorder_rows(rows(18), 3, RotaryLayout::interleaved, RotaryLayout::halves);
  CHECK(order(q) == std::vector<double>{0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11, 12, 14, 16, 13, 15, 17});
  const Tensor k = reorder_rows(rows(8), 2, RotaryLayout::interleaved, RotaryLayout::halves);
  CHECK(order(k) == std::vector<double>{0, 2, 1, 3, 4, 6, 5, 7});
  CHECK(order(reorder_rows(k, 2, RotaryLayout::halves, RotaryLayout::interleaved)) == order(rows(8)));
  CHECK(order(reorder_rows(rows(8), 2, RotaryLayout::halves, RotaryLayout::halves)) == order(rows(8)));
}

TEST_CASE("hugging face: F16 and BF16 are read") {
  const Folder folder;
  const LlamaCheckpoint wide =
      load_llama2c(reference_data / "llama2c_v2.bin");  // numbers of 7 bits and small exponents
  save_hugging_face(folder / "x", wide);
  const std::string config = read_file(folder / "x/config.json");
  const auto half = [](std::uint32_t bits) {
    return (bits << 1) == 0 ? bits >> 16
                            : (bits >> 16 & 0x8000) | ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 1023);
  };
  for (const std::string dtype : {"F16", "BF16"}) {
    CAPTURE(dtype);
    std::string header = "{", data;
    for (const auto& [name, x] : with_layout(wide, RotaryLayout::halves).tensors) {
      const std::size_t begin = data.size();
      for (const double number : to_vector(x)) {
        const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(number));
        append_number(data, static_cast<std::uint16_t>(dtype == "F16" ? half(bits) : bits >> 16));
      }
      header += fmt::format("{}\"{}\":{{\"dtype\":\"{}\",\"shape\":[{}],\"data_offsets\":[{},{}]}}",
                            header == "{" ? "" : ",", name, dtype, comma_separated(x.shape()), begin, data.size());
    }
    std::string bytes;
    append_number(bytes, std::uint64_t{header.size() + 1});
    const LlamaCheckpoint read = parse_hugging_face(config, bytes + header + "}" + data, "x");
    auto tensors = with_layout(read, RotaryLayout::interleaved).tensors;
    for (auto& [name, x] : tensors) {
      CHECK((x.dtype() == DType::bf16) == (dtype == "BF16" && x.rank() == 2));
      x = to(x, DType::f32);
    }
    check_same(tensors, wide.tensors);
  }
}

TEST_CASE("hugging face: what older files repeat is left out") {
  const Folder folder;
  const LlamaCheckpoint tied = load_llama2c(reference_data / "llama2c_v2.bin");
  save_hugging_face(folder / "x", tied);
  TensorFile file = load_safetensors(folder / "x/model.safetensors");
  file.tensors["lm_head.weight"] = file.tensors.at("model.embed_tokens.weight");
  file.tensors["model.layers.0.self_attn.rotary_emb.inv_freq"] = ones({1});
  save_safetensors(folder / "x/model.safetensors", file);
  check_same(with_layout(load_hugging_face(folder / "x"), RotaryLayout::interleaved).tensors, tied.tensors);
}

}  // namespace regard::nn
