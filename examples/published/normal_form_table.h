#pragma once

#include <cstdint>
#include <span>

namespace regard::nn {

// A character and the two others, or the one, that it stands for: é is e and ´.
struct CodeParts {
  char32_t code, first, second;  // second 0: there is none
};
std::span<const CodeParts> composed_codes();  // sorted by code; NFC puts the parts together
std::span<const CodeParts> one_way_codes();   // sorted by code; it does not

// Marks have a class, from 1 on: those of different classes stand at different places of a letter.
struct CodeClasses {
  char32_t first, last;
  std::uint8_t number;
};
std::span<const CodeClasses> combining_classes();
std::span<const CodeClasses> unknown_codes();  // ideographs that NFC replaces, by what is not in these tables

}  // namespace regard::nn
