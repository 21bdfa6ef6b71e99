#pragma once

#include <array>
#include <cstdint>

namespace regard {

// Random numbers that are a function of (seed, position): the same on every platform and for any number of threads,
// and a stream can be stored as two numbers and continued. The function is Philox4x32-10 (Salmon, Moraes, Dror and
// Shaw, 2011): ten rounds that multiply and mix a 128-bit counter under a 64-bit key.
class Generator {
 public:
  explicit Generator(std::uint64_t seed, std::uint64_t position = 0) : seed_(seed), position_(position) {}

  std::uint64_t seed() const { return seed_; }
  std::uint64_t position() const { return position_; }

  // Takes `count` positions off the stream and returns the first: the caller draws at each of them, in any order.
  std::uint64_t take(std::uint64_t count) {
    const std::uint64_t first = position_;
    position_ += count;
    return first;
  }

  struct Draw {
    std::uint64_t first, second;  // 128 random bits
  };
  Draw at(std::uint64_t position) const;

 private:
  std::uint64_t seed_;
  std::uint64_t position_;
};

// The bare function, as its authors define it.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

}  // namespace regard
