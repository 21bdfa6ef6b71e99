// Names of numbers, as they are in dictionaries and in grammars of the two languages.
#include "examples/trainers/number_words.h"

#include "tests/catch.h"
#include "tests/tensor/error_case.h"

#include <unordered_set>

namespace regard {

namespace {

struct Named {
  std::int64_t number;
  std::string english, german;
};

}  // namespace

TEST_CASE("number words: names of single numbers") {
  const std::vector<Named> all{
      {0, "zero", "null"},
      {1, "one", "eins"},
      {2, "two", "zwei"},
      {3, "three", "drei"},
      {4, "four", "vier"},
      {5, "five", "fünf"},
      {6, "six", "sechs"},
      {7, "seven", "sieben"},
      {8, "eight", "acht"},
      {9, "nine", "neun"},
      {10, "ten", "zehn"},
      {11, "eleven", "elf"},
      {12, "twelve", "zwölf"},
      {13, "thirteen", "dreizehn"},
      {14, "fourteen", "vierzehn"},
      {15, "fifteen", "fünfzehn"},
      {16, "sixteen", "sechzehn"},
      {17, "seventeen", "siebzehn"},
      {18, "eighteen", "achtzehn"},
      {19, "nineteen", "neunzehn"},
      {20, "twenty", "zwanzig"},
      {21, "twenty-one", "einundzwanzig"},
      {30, "thirty", "dreißig"},
      {42, "forty-two", "zweiundvierzig"},
      {50, "fifty", "fünfzig"},
      {66, "sixty-six", "sechsundsechzig"},
      {77, "seventy-seven", "siebenundsiebzig"},
      {80, "eighty", "achtzig"},
      {99, "ninety-nine", "neunundneunzig"},
      {100, "one hundred", "einhundert"},
      {101, "one hundred one", "einhunderteins"},
      {216, "two hundred sixteen", "zweihundertsechzehn"},
      {421, "four hundred twenty-one", "vierhunderteinundzwanzig"},
      {1000, "one thousand", "eintausend"},
      {1001, "one thousand one", "eintausendeins"},
      {7007, "seven thousand seven", "siebentausendsieben"},
      {21000, "twenty-one thousand", "einundzwanzigtausend"},
      {100000, "one hundred thousand", "einhunderttausend"},
      {101000, "one hundred one thousand", "einhunderteintausend"},
      {101101, "one hundred one thousand one hundred one", "einhunderteintausendeinhunderteins"},
      {999999, "nine hundred ninety-nine thousand nine hundred ninety-nine",
       "neunhundertneunundneunzigtausendneunhundertneunundneunzig"},
  };
  for (const auto& [number, english, german] : all) {
    CAPTURE(number);
    CHECK(in_english(number) == english);
    CHECK(in_german(number) == german);
  }
}

TEST_CASE("number words: no two numbers have the same name") {
  std::unordered_set<std::string> english, german;
  std::int64_t count = 0;
  const auto add = [&](std::int64_t number) {
    english.insert(in_english(number)), german.insert(in_german(number));
    ++count;
  };
  for (std::int64_t number = 0; number < 20000; ++number) add(number);
  for (std::int64_t number = 20000; number <= largest_named; number += 37) add(number);
  CHECK(std::ssize(english) == count);
  CHECK(std::ssize(german) == count);
}

TEST_CASE("number words: numbers without a name") {
  check_errors({
      {[] { in_english(-1); }, "ValueError", "number words: -1 has no name here: there are those of 0 to 999999"},
      {[] { in_german(1000000); }, "ValueError",
       "number words: 1000000 has no name here: there are those of 0 to 999999"},
  });
}

}  // namespace regard
