#include "tensor/random/generator.h"

namespace regard {

std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9;  // the golden ratio
    key[1] += 0xBB67AE85;  // √3 − 1
  }
  return counter;
}

Generator::Draw Generator::at(std::uint64_t position) const {
  const auto low = [](std::uint64_t x) { return static_cast<std::uint32_t>(x); };
  const auto high = [](std::uint64_t x) { return static_cast<std::uint32_t>(x >> 32); };
  const auto bits = philox({low(position), high(position), 0, 0}, {low(seed_), high(seed_)});
  const auto join = [](std::uint32_t upper, std::uint32_t lower) { return std::uint64_t{upper} << 32 | lower; };
  return {join(bits[1], bits[0]), join(bits[3], bits[2])};
}

}  // namespace regard
