#include "nn/save/base64.h"

#include <algorithm>
#include <cstdint>

namespace regard::nn {
namespace {

constexpr std::string_view characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

constexpr int value_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

}  // namespace

std::string to_base64(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t count = std::min<std::size_t>(3, bytes.size() - i);
    std::uint32_t bits = 0;
    for (std::size_t b = 0; b < 3; ++b) bits = bits << 8 | (b < count ? static_cast<unsigned char>(bytes[i + b]) : 0U);
    for (std::size_t c = 0; c < 4; ++c) text += c <= count ? characters[bits >> (18 - 6 * c) & 63] : '=';
  }
  return text;
}

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
