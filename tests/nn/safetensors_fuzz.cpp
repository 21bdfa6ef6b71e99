// Mutations of valid files, most of them in the header.
#include "autograd/all.h"
#include "nn/save/safetensors.h"
#include "tensor/io/file.h"
#include "tests/nn/fuzzer.h"

#include <filesystem>

namespace regard::nn {

namespace {

// Pieces that mean something in a header.
const std::vector<std::string> words = {"{",
                                        "}",
                                        "[",
                                        "]",
                                        ",",
                                        ":",
                                        "\"",
                                        "\\",
                                        "0",
                                        "1",
                                        "8",
                                        "-1",
                                        "1e9",
                                        "1.5",
                                        "9223372036854775807",
                                        "18446744073709551615",
                                        "4294967296",
                                        "null",
                                        "true",
                                        "\"F32\"",
                                        "\"F64\"",
                                        "\"I64\"",
                                        "\"BF16\"",
                                        "\"I8\"",
                                        "\"BOOL\"",
                                        "\"dtype\"",
                                        "\"shape\"",
                                        "\"data_offsets\"",
                                        "\"__metadata__\"",
                                        "[0,8]",
                                        "\"a\":{}",
                                        "\\u0000",
                                        " "};

// One to four changes, mostly in the header, whose length they keep up with.
std::string next(const std::vector<std::string>& files, Mutator& mutator) {
  std::string bytes = files[mutator.below(files.size())];
  auto header = number_at<std::uint64_t>(bytes, 0);
  for (auto changes = 1 + mutator.below(4); changes > 0 && bytes.size() >= 9; --changes) {
    const std::size_t before = bytes.size(), inside = std::min(before - 8, header + 1);
    const std::size_t place = mutator.below(8) == 0 ? mutator.below(before) : 8 + mutator.below(inside);
    mutator.change(bytes, place);
    if (place >= 8 && place < 8 + header)
      header = std::min<std::uint64_t>(header + bytes.size() - before, bytes.size());
  }
  // A length that fits the changed header lets the parser see all of it.
  if (mutator.below(4) == 0 || bytes.size() < 8) return bytes;
  std::string length;
  append_number(length, header);
  return bytes.replace(0, 8, length);
}

}  // namespace

TEST_CASE("safetensors fuzz: thousands of files with a few changes") {
  const std::filesystem::path folder = REGARD_REFERENCE_DATA;
  const std::string small =
      "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[8,16]}}";
  const std::vector<std::string> files{
      read_file(folder / "canonical.safetensors"), read_file(folder / "foreign.safetensors"),
      read_file(folder / "narrow.safetensors"),
      static_cast<char>(small.size()) + std::string(7, '\0') + small + std::string(16, 'x')};
  Mutator mutator(words, 2024);
  fuzz(20'000, [&] {
    const std::string bytes = next(files, mutator);
    std::size_t elements = 0;
    for (const auto& [name, x] : parse_safetensors(bytes, "x").tensors) elements += static_cast<std::size_t>(x.numel());
    return elements < bytes.size();
  });
}

}  // namespace regard::nn
