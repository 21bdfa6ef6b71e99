// The file format, against bytes that an independent writer made: tests/reference/make_safetensors.py.
#include "nn/save/safetensors.h"

#include "autograd/all.h"
#include "tensor/io/file.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

#include <cmath>
#include <filesystem>

namespace regard::nn {

namespace {

const std::filesystem::path data = REGARD_REFERENCE_DATA;

// The same numbers as in the script.
TensorFile content() {
  Tensor tokens = empty({4}, DType::i64);
  const std::int64_t numbers[] = {0, -1, INT64_MAX, INT64_MIN};
  std::copy(std::begin(numbers), std::end(numbers), tokens.writable<std::int64_t>());
  return {{{"layers.0.weight", tensor({{1, -2.5, 3.25}, {0, -0.0, 1e-40}})},
           {"layers.0.bias", tensor({INFINITY, -INFINITY, 0x1p-149})},
           {"layers.10.weight", full({1, 1, 1, 1, 1, 1}, 7)},
           {"layers.2.weight", tensor({8})},
           {"precise", tensor({0.1, -1e300}, DType::f64)},
           {"scalar", tensor(0x1p-1074, DType::f64)},
           {"tokens", tokens},
           {"nothing", zeros({2, 0, 3})},
           {"a \"quoted\" name\twith \\ and \x01", tensor({9})},
           {"größe 注意", tensor({42}, DType::i64)}},
          {{"made by", "hand, \"carefully\"\n"}}};
}

void check_same(const TensorFile& read, const TensorFile& expected) {
  CHECK(read.metadata == expected.metadata);
  CHECK(read.tensors.size() == expected.tensors.size());
  for (const auto& [name, x] : expected.tensors) {
    CAPTURE(name);
    REQUIRE(read.tensors.contains(name));
    CHECK(identical(read.tensors.at(name), x));
  }
}

}  // namespace

TEST_CASE("safetensors: what an independent writer wrote is read to the bit, in its order or in another") {
  check_same(load_safetensors(data / "canonical.safetensors"), content());
  check_same(load_safetensors(data / "foreign.safetensors"), content());
}

TEST_CASE("safetensors: we write the same bytes as the independent writer") {
  const Folder folder;
  save_safetensors(folder / "x", content());
  CHECK(read_file(folder / "x") == read_file(data / "canonical.safetensors"));
}

TEST_CASE("safetensors: views are written as the tensors they show") {
  const Folder folder;
  const Tensor x = reshape(arange(24), {2, 3, 4});
  const TensorFile views{{{"turned", transpose(x)},
                          {"one", select(x, 1, 2)},
                          {"backwards", flip(x, 0)},
                          {"wide", expand(slice(x, 0, 1, 2), {5, 3, 4})},
                          {"rest", slice(x, 2, 1, to_end, 2)}},
                         {}};
  save_safetensors(folder / "x", views);
  check_same(load_safetensors(folder / "x"), views);
}

TEST_CASE("safetensors: elements of fewer bytes are widened") {
  const TensorFile narrow = load_safetensors(data / "narrow.safetensors");
  check_same(narrow, load_safetensors(data / "wide.safetensors"));
  const std::vector<double> half = to_vector(narrow.tensors.at("half"));
  CHECK(half[2] == 0x1p-24);
  CHECK(half[8] == 65504);
  CHECK(to_vector(narrow.tensors.at("truth")) == std::vector<double>{1, 0, 0, 1, 1});
}

TEST_CASE("safetensors: nothing at all is a file too") {
  const Folder folder;
  save_safetensors(folder / "x", {});
  CHECK(read_file(folder / "x") == std::string("\x08\0\0\0\0\0\0\0{}      ", 16));
  CHECK(load_safetensors(folder / "x").tensors.empty());
}

}  // namespace regard::nn
