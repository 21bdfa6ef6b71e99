// Models that count: five letters by hand, and laws on a longer text.
#include "examples/trainers/ngram.h"

#include "tensor/error.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>
#include <string>

using namespace regard;

namespace {

// A text in which much follows from what stands before, and not all.
std::string some_text(std::size_t size) {
  Generator generator(3);
  const std::vector<double> drawn = to_vector(randint({static_cast<std::int64_t>(size)}, generator, 0, 10));
  std::string text = "ab";
  for (const double number : drawn) {
    const char before = text.back(), earlier = text[text.size() - 2];
    text += number < 7 ? static_cast<char>('a' + (before + earlier) % 4) : static_cast<char>('a' + number - 7);
  }
  return text;
}

}  // namespace

// "ababa" in the letters a, b and c. "abab" is counted, and the last a is held out.
// n = 1: half of the letters are a, and λ should make λ/2 + (1 − λ)/3 large, with one more letter of probability 1 − λ.
// The slope of the logarithms at λ = 0 is 1/2 − 1 < 0, so λ = 0, and p₁ = 1/3.
// n = 2: b was followed by an a, once of once. log(λ + (1 − λ)/3) + log(1 − λ) has its maximum where
// 2/(1 + 2λ) = 1/(1 − λ): at λ = 1/4. Then all five are counted: b stood before an a twice of twice, and a before a b.
TEST_CASE("n-grams of five letters are mixed as by hand") {
  const std::string text = "ababa";
  const NgramModels models(text, 2, 3);
  CHECK(models.weight(1, 5) == Approx(0).margin(1e-4));
  CHECK(models.weight(2, 1) == Approx(0.25).margin(1e-6));
  CHECK(models.weight(2, 2) == Approx(0.25).margin(1e-6));  // no context was seen so often: as the size below
  CHECK(models.weight(2, 0) == 0);

  const auto after = [&](const std::string& context, char next) {
    const std::string whole = context + next;
    return models.probabilities(whole, whole.size() - 1);
  };
  CHECK(after("b", 'a')[0] == Approx(1.0 / 3));
  CHECK(after("b", 'a')[1] == Approx(1.0 / 3).margin(1e-4));
  CHECK(after("b", 'a')[2] == Approx(1.0 / 4 + 3.0 / 4 / 3).margin(1e-4));
  CHECK(after("a", 'b')[2] == Approx(1.0 / 2).margin(1e-4));
  CHECK(after("a", 'a')[2] == Approx(1.0 / 4).margin(1e-4));
  CHECK(after("a", 'c')[2] == Approx(1.0 / 4).margin(1e-4));
  CHECK(after("c", 'b')[2] == after("c", 'b')[1]);  // c was never seen

  const std::vector<double> losses = models.losses("cab", 1);  // of a behind c, and of b behind a
  REQUIRE(losses.size() == 2);
  CHECK(losses[0] == Approx(std::log(3)).margin(1e-4));
  CHECK(losses[1] == Approx((std::log(3) + std::log(2)) / 2).margin(1e-4));
}

TEST_CASE("n-grams: the probabilities of all characters make 1, whatever stands before") {
  const std::string text = some_text(2000);
  const NgramModels models(text, 4, 4);
  for (const std::string context : {"", "a", "ab", "dddd", "abcdab", "bbbbbbbb"}) {
    std::vector<double> sums(5);
    for (char c = 'a'; c <= 'd'; ++c) {
      const std::vector<double> p = models.probabilities(context + c, context.size());
      REQUIRE(p.size() == sums.size());
      for (std::size_t n = 0; n < p.size(); ++n) {
        CHECK(p[n] > 0);
        sums[n] += p[n];
      }
    }
    for (const double sum : sums) CHECK(sum == Approx(1).epsilon(1e-13));
  }
}

TEST_CASE("n-grams: where two characters say what may come, three help, and more say no more") {
  const std::string text = some_text(20000), other = some_text(21000).substr(20000);
  const NgramModels models(text, 5, 4);
  const std::vector<double> losses = models.losses(other, 0);
  // Of ten letters three are a, b and c, and seven follow. Who knows that has probabilities of 0.8, 0.1 and 0.1, or of
  // 0.7 and three of 0.1 where a d follows: an entropy of 0.64 to 0.94.
  CHECK(losses[1] > losses[2] + 0.2);
  CHECK(losses[2] == Approx(losses[3]).margin(0.02));
  CHECK(losses[2] == Approx(losses[4]).margin(0.03));
  CHECK(losses[2] > 0.6);
  CHECK(losses[2] < 0.98);
}

TEST_CASE("n-grams: a text that is too short, and no characters, are errors") {
  CHECK_THROWS_WITH(NgramModels("abcdef", 6, 3),
                    "NgramModels: 6 characters are too few for n-grams of n = 6: there must be 7");
  CHECK_NOTHROW(NgramModels("abcdefg", 6, 7));
  CHECK_THROWS_WITH(NgramModels("abc", 0, 3), "NgramModels: longest = 0, characters = 3: both must be at least 1");
}
