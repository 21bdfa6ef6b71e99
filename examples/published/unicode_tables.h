#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

namespace regard::nn {

// Code points from the first to the last that have the same value. unicode_tables.py makes the tables.
struct CodeRange {
  char32_t first, last;
  std::uint8_t value;
};
inline const CodeRange* range_of(std::span<const CodeRange> ranges, char32_t code) {  // nullptr: it is in none
  const auto found = std::ranges::lower_bound(ranges, code, {}, &CodeRange::last);
  return found != ranges.end() && found->first <= code ? &*found : nullptr;
}

// What a character is. Capitals include title letters (ǅ). Where capitals and small letters take turns (Āā Ăă Ąą), one
// range has them all, a capital first.
enum class CodeKind : std::uint8_t { capital, small, alternating, caseless, accent, digit, space };
std::span<const CodeRange> kinds();  // their values are numbers of kinds

// A character and the two others, or the one, that it stands for: é is e and ´.
struct CodeParts {
  char32_t code, first, second;  // second 0: there is none
};
std::span<const CodeParts> composed_codes();  // sorted by code; NFC puts the parts together
std::span<const CodeParts> one_way_codes();   // sorted by code; it does not

// Accents have a class, from 1 on: those of different classes stand at different places of a letter.
std::span<const CodeRange> combining_classes();
std::span<const CodeRange> unknown_codes();  // ideographs that NFC replaces, by what is not in these tables

}  // namespace regard::nn
