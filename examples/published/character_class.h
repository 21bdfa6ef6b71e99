#pragma once

#include <cstdint>

namespace regard::nn {

// What Unicode says a character is, given its code point (nn/text/unicode.h). Marks are all that is nothing else:
// signs, controls, bytes that are not UTF-8.
enum class CharacterClass : std::uint8_t { letter, digit, space, mark };
CharacterClass class_of(char32_t code);

}  // namespace regard::nn
