#pragma once

#include "examples/published/bytes.h"
#include "tensor/error.h"
#include "tensor/random/generator.h"
#include "tests/catch.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

// Files with a few changes: each is a file, or an IoError. REGARD_FUZZ_INPUTS=1000000 tries more of them.

namespace regard::nn {

// Changes bytes at random. The words are pieces that mean something in the format.
class Mutator {
 public:
  Mutator(std::vector<std::string> words, std::uint64_t seed) : words_(std::move(words)), generator_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return generator_.at(generator_.take(1)).first % bound; }

  // One change at or behind a place of the bytes, of which there are some.
  void change(std::string& bytes, std::size_t place) {
    const std::size_t length = std::min<std::size_t>(1 + below(12), bytes.size() - place);
    const std::string& word = words_[below(words_.size())];
    switch (below(9)) {
      case 0: bytes[place] = static_cast<char>(below(256)); break;
      case 1: bytes[place] = static_cast<char>(bytes[place] ^ (1 << below(8))); break;
      case 2: bytes.insert(place, word); break;
      case 3: bytes.replace(place, std::min(length, word.size()), word); break;
      case 4: bytes.erase(place, length); break;
      case 5: bytes.insert(place, bytes.substr(below(bytes.size()), below(120))); break;
      case 6: change_written_number(bytes, place); break;
      case 7: change_stored_number(bytes, place); break;
      case 8: bytes.resize(below(16) == 0 ? below(bytes.size()) : bytes.size()); break;
    }
  }

 private:
  // The number in digits, at or after the place, by a little, to something huge, or to another one.
  void change_written_number(std::string& bytes, std::size_t place) {
    const std::size_t begin = bytes.find_first_of("0123456789", place);
    if (begin == std::string::npos) return;
    const std::size_t end = std::min(bytes.find_first_not_of("0123456789", begin), bytes.size());
    const std::uint64_t number = std::strtoull(bytes.substr(begin, end - begin).c_str(), nullptr, 10);
    const std::uint64_t choices[] = {number + 1, number - 1, number * 2, number + 4, number - 8, below(40), ~number};
    bytes.replace(begin, end - begin, std::to_string(choices[below(7)]));
  }
  // The same for the four bytes of an i32.
  void change_stored_number(std::string& bytes, std::size_t place) {
    place -= place % 4;
    if (place + 4 > bytes.size()) return;
    const auto number = number_at<std::uint32_t>(bytes, place);
    const std::uint32_t choices[] = {number + 1, number - 1,  number * 2,  number / 2,
                                     0,          ~number + 1, 0x7FFFFFFFU, static_cast<std::uint32_t>(below(40))};
    std::string piece;
    append_number(piece, choices[below(8)]);
    bytes.replace(place, 4, piece);
  }

  std::vector<std::string> words_;
  Generator generator_;
};

// Reads as many inputs as are wanted. read() makes the next one and parses it; it says whether a file came out that
// takes no more memory than it may. Whatever is thrown but an IoError gets out and fails the test.
template <class Read>
void fuzz(int usual, Read&& read) {
  const char* wanted = std::getenv("REGARD_FUZZ_INPUTS");
  const int inputs = wanted ? std::atoi(wanted) : usual;
  int loaded = 0, refused = 0;
  for (int i = 0; i < inputs; ++i) {
    try {
      if (!read()) FAIL("input " << i << " gave more than it has");
      ++loaded;
    } catch (const IoError& error) {
      ++refused;
      if (std::string_view(error.what()).size() > 600) FAIL("input " << i << " has a long message: " << error.what());
    }
  }
  INFO(loaded << " loaded, " << refused << " refused");
  CHECK(loaded > inputs / 100);
  CHECK(refused > inputs / 4);
  if (wanted) WARN(inputs << " inputs: " << loaded << " loaded, " << refused << " refused");
}

}  // namespace regard::nn
