#include "examples/published/base64.h"

#include <cstdint>

namespace regard::nn {
namespace {

constexpr int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  const std::size_t missing = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
  text.remove_suffix(missing);
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3 + 2);
  std::uint32_t bits = 0;
  int count = 0;  // of bits that are not written yet
  for (const char c : text) {
    if (value_of(c) < 0) return std::nullopt;
    bits = bits << 6 | static_cast<std::uint32_t>(value_of(c));
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xFF);
  }
  const bool leftover_is_zero = (bits & ((1U << count) - 1)) == 0;
  return leftover_is_zero ? std::optional(bytes) : std::nullopt;
}

}  // namespace regard::nn
