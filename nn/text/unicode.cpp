#include "nn/text/unicode.h"

#include <array>

namespace regard::nn {

Character first_character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  constexpr Character broken{not_a_character, 1};
  const std::size_t bytes = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < bytes) return broken;
  char32_t code = lead & (0xFF >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return broken;
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr std::array<char32_t, 5> smallest{0, 0, 0x80, 0x800, 0x10000};
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < smallest[bytes] || is_surrogate || code > 0x10FFFF ? broken : Character{code, bytes};
}

std::string to_utf8(char32_t code) {
  if (code < 0x80) return std::string(1, static_cast<char>(code));
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  std::string bytes(1, static_cast<char>((0xF00 >> (more + 1) & 0xFF) | code >> 6 * more));
  for (int i = more - 1; i >= 0; --i) bytes += static_cast<char>(0x80 | (code >> 6 * i & 0x3F));
  return bytes;
}

}  // namespace regard::nn
