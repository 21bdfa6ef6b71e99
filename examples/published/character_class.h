#pragma once

#include <cstdint>

namespace regard::nn {

// What Unicode says a character is, given its code point (nn/text/unicode.h). Marks are all that is nothing else:
// signs, controls, bytes that are not UTF-8.
enum class CharacterClass : std::uint8_t { letter, digit, space, mark };
CharacterClass class_of(char32_t code);

// Of letters, and of the accents on them: which case they have. Accents have none, nor have letters of many scripts.
enum class Case : std::uint8_t { capital, small, caseless, no_letter };
Case case_of(char32_t code);

}  // namespace regard::nn
