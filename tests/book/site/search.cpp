// The index of the search has every word, and says where it stands.
#include "examples/book/site/search_index.h"

#include <set>
#include <string>

#include "tests/catch.h"

using namespace regard::site;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("Words in small letters; of Chinese each character") {
  CHECK(words_of("Why √D? nn::Soft_max, x2 — Δ Über") ==
        std::set<std::string>{"why", "d", "nn", "soft_max", "x2", "δ", "über"});
  CHECK(words_of("ALiBi（线性）") == std::set<std::string>{"alibi", "线", "性"});
}

TEST_CASE("The script has pages, places and words in order") {
  SearchIndex index;
  index.add("a.html", "A \"page\"", {{"one", "One", "both words"}, {"two", "Two", "words"}});
  CHECK(index.script() ==
        "window.searchIndex = {\npages: [\n[\"a.html\", \"A \\\"page\\\"\"],\n],\nplaces: [\n"
        "[0, \"one\", \"One\", \"both words\"],\n[0, \"two\", \"Two\", \"words\"],\n],\nwords: [\n"
        "[\"both\", [0]],\n[\"one\", [0]],\n[\"two\", [1]],\n[\"words\", [0,1]],\n]};\n");
}
