// Mutations of valid files: each is a file, or an IoError. REGARD_FUZZ_INPUTS=1000000 tries more of them.
#include "autograd/all.h"
#include "nn/save/safetensors.h"
#include "tensor/io/file.h"
#include "tests/catch.h"

#include <cstdlib>
#include <cstring>

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
                                        "\"dtype\"",
                                        "\"shape\"",
                                        "\"data_offsets\"",
                                        "\"__metadata__\"",
                                        "[0,8]",
                                        "\"a\":{}",
                                        "\\u0000",
                                        " "};

class Fuzzer {
 public:
  explicit Fuzzer(std::vector<std::string> files) : files_(std::move(files)) {}

  std::string next() {
    std::string bytes = files_[below(files_.size())];
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    for (auto changes = 1 + below(4); changes > 0; --changes) mutate(bytes, header);
    // A length that fits the changed header lets the parser see all of it.
    if (below(4) != 0 && bytes.size() >= 8) std::memcpy(bytes.data(), &header, 8);
    return bytes;
  }

 private:
  // One change, mostly in the header, whose length it keeps up with.
  void mutate(std::string& bytes, std::uint64_t& header) {
    if (bytes.size() < 9) return;
    const std::size_t place = below(8) == 0 ? below(bytes.size()) : 8 + below(std::min(bytes.size() - 8, header + 1));
    const std::size_t before = bytes.size();
    const std::size_t length = std::min<std::size_t>(1 + below(12), bytes.size() - place);
    const std::string& word = words[below(words.size())];
    switch (below(8)) {
      case 0: bytes[place] = static_cast<char>(below(256)); break;
      case 1: bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8))); break;
      case 2: bytes.insert(place, word); break;
      case 3: bytes.replace(place, std::min(length, word.size()), word); break;
      case 4: bytes.erase(place, length); break;
      case 5: bytes.insert(place, bytes.substr(8 + below(bytes.size() - 8), below(120))); break;
      case 6: change_number(bytes, place); break;
      case 7: bytes.resize(below(16) == 0 ? below(bytes.size()) : bytes.size()); break;
    }
    if (place >= 8 && place < 8 + header)
      header = std::min<std::uint64_t>(header + bytes.size() - before, bytes.size());
  }

  // The number at or after the place, by a little, to something huge, or to another one.
  void change_number(std::string& bytes, std::size_t place) {
    const std::size_t begin = bytes.find_first_of("0123456789", place);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of("0123456789", begin), bytes.size());
    const std::uint64_t number = std::strtoull(bytes.substr(begin, end - begin).c_str(), nullptr, 10);
    const std::uint64_t choices[] = {number + 1, number - 1, number * 2, number + 4, number - 8, below(40), ~number};
    bytes.replace(begin, end - begin, std::to_string(choices[below(7)]));
  }

  std::uint64_t below(std::uint64_t bound) { return generator_.at(generator_.take(1)).first % bound; }

  std::vector<std::string> files_;
  Generator generator_{2024};
};

}  // namespace

TEST_CASE("safetensors fuzz: thousands of files with a few changes") {
  const char* wanted = std::getenv("REGARD_FUZZ_INPUTS");
  const int inputs = wanted ? std::atoi(wanted) : 20'000;
  const std::filesystem::path data = REGARD_REFERENCE_DATA;
  const std::string small =
      "{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]},"
      "\"b\":{\"dtype\":\"I64\",\"shape\":[],\"data_offsets\":[8,16]}}";
  Fuzzer fuzzer({read_file(data / "canonical.safetensors"), read_file(data / "foreign.safetensors"),
                 static_cast<char>(small.size()) + std::string(7, '\0') + small + std::string(16, 'x')});
  int loaded = 0, refused = 0;
  for (int i = 0; i < inputs; ++i) {
    const std::string bytes = fuzzer.next();
    try {
      std::size_t taken = 0;
      for (const auto& [name, x] : parse_safetensors(bytes, "x").tensors)
        taken += static_cast<std::size_t>(x.numel()) * size_of(x.dtype());
      ++loaded;
      if (taken >= bytes.size()) FAIL("input " << i << " gave more than it has");
    } catch (const IoError& error) {  // every other exception gets out
      ++refused;
      if (std::strlen(error.what()) > 600) FAIL("input " << i << " has a long message: " << error.what());
    }
  }
  INFO(loaded << " loaded, " << refused << " refused");
  CHECK(loaded > inputs / 100);
  CHECK(refused > inputs / 2);
  if (wanted) WARN(inputs << " inputs: " << loaded << " loaded, " << refused << " refused");
}

}  // namespace regard::nn
