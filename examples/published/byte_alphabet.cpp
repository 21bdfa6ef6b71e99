#include "examples/published/byte_alphabet.h"

#include "nn/text/unicode.h"

#include <array>

namespace regard::nn {
namespace {

bool is_printable(unsigned byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
}

const std::array<std::string, 256>& characters() {
  static const std::array<std::string, 256> table = [] {
    std::array<std::string, 256> made;
    char32_t next = 256;
    for (unsigned byte = 0; byte < 256; ++byte) made[byte] = to_utf8(is_printable(byte) ? byte : next++);
    return made;
  }();
  return table;
}

}  // namespace

std::string written(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += characters()[static_cast<unsigned char>(byte)];
  return text;
}

std::optional<std::string> bytes_of_written(std::string_view text) {
  std::string bytes;
  while (!text.empty()) {
    const std::string_view character = text.substr(0, first_character(text).bytes);
    unsigned byte = 0;
    while (byte < 256 && characters()[byte] != character) ++byte;
    if (byte == 256) return std::nullopt;
    bytes += static_cast<char>(byte);
    text.remove_prefix(character.size());
  }
  return bytes;
}

std::string bytes_in_order() {
  std::string order;
  for (const bool printable : {true, false})
    for (unsigned byte = 0; byte < 256; ++byte)
      if (is_printable(byte) == printable) order += static_cast<char>(byte);
  return order;
}

}  // namespace regard::nn
