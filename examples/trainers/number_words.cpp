#include "examples/trainers/number_words.h"

#include "tensor/error.h"

#include <array>

namespace regard {
namespace {

using Names = std::array<const char*, 20>;

constexpr Names english_names{"zero",     "one",     "two",     "three",     "four",     "five",    "six",
                              "seven",    "eight",   "nine",    "ten",       "eleven",   "twelve",  "thirteen",
                              "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
constexpr Names german_names{"null",     "eins",     "zwei",     "drei",     "vier",     "fünf",    "sechs",
                             "sieben",   "acht",     "neun",     "zehn",     "elf",      "zwölf",   "dreizehn",
                             "vierzehn", "fünfzehn", "sechzehn", "siebzehn", "achtzehn", "neunzehn"};
constexpr std::array<const char*, 10> english_tens{"",      "",      "twenty",  "thirty", "forty",
                                                   "fifty", "sixty", "seventy", "eighty", "ninety"};
constexpr std::array<const char*, 10> german_tens{"",        "",        "zwanzig", "dreißig", "vierzig",
                                                  "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig"};

template <class List>
std::string name(const List& names, std::int64_t i) {
  return names[static_cast<std::size_t>(i)];
}

void require_named(std::int64_t number) {
  if (number < 0 || number > largest_named)
    fail<ValueError>("number words: {} has no name here: there are those of 0 to {}", number, largest_named);
}

std::string english_below_hundred(std::int64_t n) {
  if (n < 20) return name(english_names, n);
  return name(english_tens, n / 10) + (n % 10 > 0 ? "-" + name(english_names, n % 10) : "");
}

std::string english_below_thousand(std::int64_t n) {
  if (n < 100) return english_below_hundred(n);
  const std::string hundreds = name(english_names, n / 100) + " hundred";
  return n % 100 > 0 ? hundreds + " " + english_below_hundred(n % 100) : hundreds;
}

// Only at the end of a word is 1 "eins".
std::string german_ones(std::int64_t n) { return n == 1 ? "ein" : name(german_names, n); }

std::string german_below_hundred(std::int64_t n, bool at_the_end) {
  if (n < 20) return at_the_end ? name(german_names, n) : german_ones(n);
  return (n % 10 > 0 ? german_ones(n % 10) + "und" : "") + name(german_tens, n / 10);
}

std::string german_below_thousand(std::int64_t n, bool at_the_end) {
  if (n < 100) return german_below_hundred(n, at_the_end);
  const std::string hundreds = german_ones(n / 100) + "hundert";
  return n % 100 > 0 ? hundreds + german_below_hundred(n % 100, at_the_end) : hundreds;
}

}  // namespace

std::string in_english(std::int64_t number) {
  require_named(number);
  if (number < 1000) return english_below_thousand(number);
  const std::string thousands = english_below_thousand(number / 1000) + " thousand";
  return number % 1000 > 0 ? thousands + " " + english_below_thousand(number % 1000) : thousands;
}

std::string in_german(std::int64_t number) {
  require_named(number);
  if (number < 1000) return german_below_thousand(number, true);
  const std::string thousands = german_below_thousand(number / 1000, false) + "tausend";
  return number % 1000 > 0 ? thousands + german_below_thousand(number % 1000, true) : thousands;
}

}  // namespace regard
