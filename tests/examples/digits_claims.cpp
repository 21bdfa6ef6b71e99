// What the captions of 10 say holds for the numbers, and is not said where it does not.
#include "examples/trainers/digits_claims.h"

#include "tensor/create.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <string>

using namespace regard;
using namespace regard::digits;

namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace

TEST_CASE("Looks: the share of the class token itself, and whether empty patches are looked at") {
  // One image of four patches, of which the last two are empty, and two heads.
  const Tensor ink = f64({{{1, 0.5}, {0, 0}}}), itself = f64({{0.2, 0.4}});
  const Tensor at_empty = f64({{{{0.2, 0}, {0.6, 0}}, {{0.3, 0.1}, {0, 0.2}}}});
  const Tensor at_ink = f64({{{{0.8, 0}, {0, 0}}, {{0.3, 0.28}, {0, 0.02}}}});
  CHECK(says(about_looks(at_empty, itself, ink), "30 % of its weight to itself, in the mean of the heads and of 1 im"));
  CHECK(says(about_looks(at_empty, itself, ink), "without any ink, 50 % of all, get 57 % of what is left."));
  CHECK(says(about_looks(at_ink, itself, ink), "without any ink, 50 % of all, get 1 % of what is left."));
  CHECK(title_of_looks(at_empty, ink) == "the class token looks at empty patches, too");
  CHECK(title_of_looks(at_ink, ink) == "the class token looks where there is ink");
}

TEST_CASE("Mistakes: none, one, all of them different, some more often than others") {
  const Tensor labels = f64({8, 8, 3, 5});
  CHECK(title_of_mistakes(labels, labels) == "4 of 4 right");
  CHECK(title_of_mistakes(f64({1, 1, 8, 5}), labels) == "1 of 4 right; most often: 8 read as 1");
  CHECK(title_of_mistakes(f64({8, 1, 3, 9}), labels) == "2 of 4 right");  // two kinds, each once
  CHECK(about_mistakes(labels, labels) == "All 4 digits are read right.");
  CHECK(about_mistakes(f64({8, 1, 3, 5}), labels) == "Of 4 digits 1 is misread.");
  CHECK(about_mistakes(f64({8, 1, 3, 9}), labels) == "Of 4 digits 2 are misread. No two mistakes are alike.");
  CHECK(about_mistakes(f64({1, 1, 8, 5}), labels) ==
        "Of 4 digits 3 are misread. The most frequent mistake, in 2 images: 8 read as 1.");
  CHECK(about_mistakes(f64({1, 1, 4, 4}), f64({8, 8, 3, 3})) ==
        "Of 4 digits 4 are misread. The most frequent mistakes, in 2 images each: 3 read as 4, and 8 read as 1.");
}
