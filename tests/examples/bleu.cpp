// BLEU, by its formula and by hand: min(1, e^(1 − r/c)) · (p₁·…·p_N)^(1/N).
#include "examples/trainers/bleu.h"

#include "tests/catch.h"
#include "tests/tensor/error_case.h"

#include <cmath>
#include <sstream>

namespace regard {

namespace {

std::vector<std::string> words(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> all;
  for (std::string word; stream >> word;) all.push_back(word);
  return all;
}

Translated said(const std::string& text, const std::vector<std::string>& right) {
  Translated one{words(text), {}};
  for (const std::string& translation : right) one.right.push_back(words(translation));
  return one;
}

}  // namespace

TEST_CASE("bleu: one sentence") {
  const Translated cat = said("the cat sat on the mat", {"the cat is on the mat"});
  CHECK(bleu({cat}, 1) == Approx(5.0 / 6));                       // all but "sat"
  CHECK(bleu({cat}, 2) == Approx(std::sqrt(5.0 / 6 * 3.0 / 5)));  // the cat · on the · the mat
  CHECK(bleu({cat}, 3) == Approx(0.5));                           // ∛(5/6 · 3/5 · 1/4): on the mat
  CHECK(bleu({cat}, 4) == 0);                                     // no row of four is right
  CHECK(bleu({said("a b c d", {"a b c d"})}) == Approx(1));
  CHECK(bleu({said("a b c d", {"e f g h"})}) == 0);
}

TEST_CASE("bleu: to say little does not pay") {
  CHECK(bleu({said("the cat", {"the cat sat on"})}, 2) == Approx(std::exp(-1.0)));  // r = 4, c = 2
  CHECK(bleu({said("the cat sat on", {"the cat"})}, 1) == Approx(0.5));             // longer: only the precision counts
  CHECK(bleu({said("", {"the cat"})}, 1) == 0);
}

TEST_CASE("bleu: to repeat a right word does not pay") {
  CHECK(bleu({said("the the the the the the the", {"the cat is on the mat"})}, 1) == Approx(2.0 / 7));
  // As often as it stands in one translation, not in all of them together.
  CHECK(bleu({said("the the the", {"the cat", "a cat on the mat of the dog"})}, 1) == Approx(2.0 / 3));
}

TEST_CASE("bleu: of several right translations, rows of any, and the nearest length") {
  CHECK(bleu({said("a b c d", {"a b x x", "x x c d"})}, 2) == Approx(std::sqrt(1 * 2.0 / 3)));
  // c = 3: lengths 2 and 4 are equally near, and the shorter one counts. c = 2: r = 3 and not 9.
  CHECK(bleu({said("a b c", {"a b c d", "a b"})}, 1) == Approx(1));
  CHECK(bleu({said("a b", {"a b c d e f g h i", "a b c"})}, 1) == Approx(std::exp(1 - 3.0 / 2)));
}

TEST_CASE("bleu: of a test is not the mean over its sentences") {
  const Translated good = said("a b c d", {"a b c d"}), bad = said("x y", {"a b"});
  CHECK(bleu({good, bad}, 1) == Approx(4.0 / 6));
  CHECK(bleu({good, bad}, 2) == Approx(std::sqrt(4.0 / 6 * 3.0 / 4)));
  CHECK(bleu({}, 1) == 0);
}

TEST_CASE("bleu: what it cannot measure") {
  check_errors({
      {[] { bleu({said("a", {"a"})}, 0); }, "ValueError", "bleu: longest = 0: it must be 1 or more"},
      {[] { bleu({said("a", {})}); }, "ValueError", "bleu: there is no right translation for one of the sentences"},
  });
}

}  // namespace regard
