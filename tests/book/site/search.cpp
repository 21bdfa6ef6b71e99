// The index of the search has every word, and says where it stands.
#include "examples/book/site/search_index.h"

#include <set>
#include <string>

#include "examples/book/site/text.h"
#include "tests/catch.h"

using namespace regard::site;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("Words in small letters; of Chinese each character") {
  CHECK(words_of("Why √D? nn::Soft_max, x2 — Δ Über") ==
        std::set<std::string>{"why", "d", "nn", "soft_max", "x2", "δ", "über"});
  CHECK(words_of("ALiBi（线性）") == std::set<std::string>{"alibi", "线", "性"});
}

// Pairs of a capital and its small letter, of all alphabets that make up words. The browser lowers what is looked for.
TEST_CASE("Words with capitals of other alphabets are found in small letters") {
  CHECK(words_of("Łukasz KAISER, ŽIŽEK, Ÿ, Șțefan, Ǎ") ==
        std::set<std::string>{"łukasz", "kaiser", "žižek", "ÿ", "șțefan", "ǎ"});
  CHECK(words_of("ЯЗЫК Ёлка Ђак Ґанок Ӂ") == std::set<std::string>{"язык", "ёлка", "ђак", "ґанок", "ӂ"});
  CHECK(words_of("ΆΛΦΑ ΏΡΑ ΣΊΣΥΦΟΣ σίσυφος İstanbul") == std::set<std::string>{"άλφα", "ώρα", "σίσυφοσ", "istanbul"});
  CHECK(words_of("aȺb") == std::set<std::string>{"a", "b"});  // its small letter is none that words_of knows
  int lowered = 0;
  for (char32_t c = 0; c < 0x530; ++c) {
    CHECK(small(small(c)) == small(c));
    if (small(c) != c) ++lowered;
  }
  CHECK(lowered == 431);  // all that Unicode has there
  for (const char32_t c : {U'×', U'ς', U'ß', U'ÿ', U'ŀ', U'√', U'注'}) CHECK(small(c) == c);
}

TEST_CASE("The script has pages, places and words in order") {
  SearchIndex index;
  index.add("a.html", "A \"page\"", {{"one", "One", "both words"}, {"two", "Two", "words"}});
  CHECK(index.script() ==
        "window.searchIndex = {\npages: [\n[\"a.html\", \"A \\\"page\\\"\"],\n],\nplaces: [\n"
        "[0, \"one\", \"One\", \"both words\"],\n[0, \"two\", \"Two\", \"words\"],\n],\nwords: [\n"
        "[\"both\", [0]],\n[\"one\", [0]],\n[\"two\", [1]],\n[\"words\", [0,1]],\n]};\n");
}
