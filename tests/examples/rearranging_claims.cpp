// What the captions of 09 say holds for the numbers, and is not said where it does not.
#include "examples/trainers/rearranging_claims.h"

#include "tensor/create.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

using namespace regard;
using namespace regard::rearranging;

namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

// Weights of one head on `length` places that puts a share on the mirror image, and the rest on the place itself.
Tensor mirroring(std::int64_t length, double share) {
  std::vector<double> weights;
  for (std::int64_t i = 0; i < length; ++i)
    for (std::int64_t j = 0; j < length; ++j) weights.push_back(j == length - 1 - i ? share : j == i ? 1 - share : 0);
  return tensor(weights, {length, length});
}
Tensor heads(const std::vector<Tensor>& all) { return unsqueeze(stack(all, 0), 0); }

}  // namespace

TEST_CASE("The ceiling without positions is that of trying all sequences") {
  // All sequences of 4 digits of 3. At each place a model sees the digit there and the bag; for each such view the best
  // answer is the most frequent one.
  constexpr int digits = 3;
  std::array<std::array<int, digits>, 3 * 256> answers{};  // by own digit and bag
  for (int code = 0; code < 81; ++code) {
    const std::array<int, 4> sequence{code % 3, code / 3 % 3, code / 9 % 3, code / 27};
    int bag = 0;  // how often each digit occurs, in base 4 and up
    for (const int digit : sequence) bag += digit == 0 ? 1 : digit == 1 ? 6 : 36;
    for (std::size_t i = 0; i < 4; ++i)
      ++answers[static_cast<std::size_t>(sequence[i] * 256 + bag)][static_cast<std::size_t>(sequence[3 - i])];
  }
  int right = 0;
  for (const auto& counts : answers) right += *std::ranges::max_element(counts);
  CHECK(ceiling_without_positions(4, digits) == Approx(right / (4 * 81.0)).epsilon(1e-12));

  CHECK(ceiling_without_positions(2, 10) == Approx(1));  // the other one is known
  CHECK(ceiling_without_positions(4, 1) == Approx(1));   // there is one digit only
  CHECK(ceiling_without_positions(8, 10) == Approx(0.317).margin(0.0005));
}

TEST_CASE("Accuracy without positions: at the ceiling, below it, above it") {
  CHECK(says(about_accuracy(0.314, 0.317), "reaches 0.314, as much as there is to reach."));
  CHECK(says(about_accuracy(0.2, 0.317), "has come to 0.200 only."));
  CHECK(says(about_accuracy(0.5, 0.317), "reaches 0.500: it must know something of positions."));
  CHECK_FALSE(says(about_accuracy(0.5, 0.317), "as much as there is"));
  CHECK_FALSE(says(about_accuracy(0.314, 0.317), "something of positions"));
}

TEST_CASE("Mirror images: all heads, some, none") {
  const Tensor yes = mirroring(4, 0.9), no = mirroring(4, 0.2);
  CHECK(says(about_mirror_images(heads({yes, yes})), "all heads look at the mirror image"));
  CHECK(says(about_mirror_images(heads({yes, yes})), "90 to 90 %"));
  CHECK(says(about_mirror_images(heads({yes, no})), "1 of 2 heads look at the mirror image"));
  CHECK(says(about_mirror_images(heads({yes, no})), "20 to 90 %"));
  CHECK(says(about_mirror_images(heads({no, no})), "No head of the second layer"));
  CHECK_FALSE(says(about_mirror_images(heads({no, no})), "heads look at the mirror image"));
}

TEST_CASE("Sorting: the weight on the digit to write, wherever it stands") {
  const Tensor digits = f64({{9, 1, 9}}), evenly = full({3, 3}, 1 / 3.0, DType::f64);
  const Tensor sorts = f64({{0.1, 0.9, 0}, {0.5, 0.1, 0.4}, {0.2, 0, 0.8}});  // 0.9, 0.9 and 1
  // Evenly: the 1 gets a third, each 9 two thirds.
  CHECK(title_of_sorting({heads({evenly}), heads({sorts, sorts})}, digits) ==
        "to sort: weight on the digit to write 56 % in layer 1, 93 % in layer 2");
}

TEST_CASE("Digits looked at: they grow from the first place of the answer to the last, or do not") {
  const Tensor digits = f64({{9, 1, 5}});
  const Tensor sorts = f64({{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}), evenly = full({3, 3}, 1 / 3.0, DType::f64);
  const Tensor falls = f64({{1, 0, 0}, {0, 0, 1}, {0, 1, 0}});  // from 9 to 1
  CHECK(says(about_digits_looked_at(heads({sorts}), digits), "a mean of 1.0 at the first place of the answer and 9.0"));
  CHECK(says(about_digits_looked_at(heads({sorts}), digits), "depends on the digits"));
  CHECK(says(about_digits_looked_at(heads({evenly}), digits), "hardly told apart"));
  CHECK_FALSE(says(about_digits_looked_at(heads({evenly}), digits), "depends on the digits"));
  CHECK(says(about_digits_looked_at(heads({falls}), digits), "a mean of 9.0 at the first place of the answer and 1.0"));
  CHECK(says(about_digits_looked_at(heads({falls}), digits), "the other way round"));
  CHECK_FALSE(says(about_digits_looked_at(heads({falls}), digits), "hardly told apart"));
  CHECK_FALSE(says(about_digits_looked_at(heads({falls}), digits), "look at smaller ones than the last"));
  CHECK_FALSE(says(about_digits_looked_at(heads({sorts}), digits), "the other way round"));
}

TEST_CASE("Equal digits: their rows and columns are alike, or are not, or there are none") {
  const Tensor alike = f64({{0.3, 0.4, 0.3}, {0.1, 0.8, 0.1}, {0.3, 0.4, 0.3}});
  const Tensor rows = f64({{0.3, 0.4, 0.3}, {0.1, 0.8, 0.1}, {0.1, 0.8, 0.1}});
  const Tensor columns = f64({{0.2, 0.4, 0.4}, {0.1, 0.8, 0.1}, {0.2, 0.4, 0.4}});
  const Tensor twice = f64({7, 2, 7});
  CHECK(about_equal_digits(heads({alike, alike}), twice) ==  // a palindrome: they have the same answer
        "Rows of the same input digit are alike, and so are columns, wherever they stand.");
  const Tensor four = full({4, 4}, 0.25, DType::f64);
  CHECK(about_equal_digits(heads({four}), f64({7, 7, 2, 3})) ==
        "Rows of the same input digit are alike, and so are columns, wherever they stand. Their answers differ: the "
        "mirror image of a place cannot be found.");
  CHECK(says(about_equal_digits(heads({alike, rows}), twice), "differ by up to 0.40"));
  CHECK(says(about_equal_digits(heads({columns, alike}), twice), "differ by up to 0.20"));
  CHECK_FALSE(says(about_equal_digits(heads({alike, rows}), twice), "are alike"));
  CHECK(about_equal_digits(heads({rows}), f64({1, 2, 3})) == "No digit stands twice in this sequence.");
}

TEST_CASE("Importance: whether a head is needed, and whether the slope says so") {
  const Importance spare{{"1.1", "1.2"}, {0.2, 0.1}, {0.3, 0.2}, {0.99, 0.995}, 0.1, 1};
  CHECK(about_importance(spare) ==
        "No single head is needed: of the answers 100.0 % are right with all, and 99.0 % or more without any one of "
        "them. Head 1.1 has the steepest slope, and without it the loss rises most.");
  const Importance needed{{"1.1", "1.2"}, {0.2, 0.1}, {0.3, 1.2}, {0.99, 0.8}, 0.1, 1};
  CHECK(
      about_importance(needed) ==
      "Not all can be spared: of the answers 100.0 % are right with all heads, and 80.0 % without head 1.2. The slope "
      "is steepest at head 1.1, but the loss rises most without head 1.2: what a little less of a head would do says "
      "little about what happens without it.");
}

TEST_CASE("Importance: the loss rises without a head only where it is more than with all") {
  const auto without = [](const std::vector<double>& losses) {
    return about_importance({{"1.1", "1.2"}, {0.2, 0.1}, losses, {0.99, 0.995}, 0.35, 1});
  };
  for (const std::vector<double>& falling : {std::vector{0.30, 0.20}, std::vector{0.20, 0.30}}) {
    CHECK_FALSE(says(without(falling), "the loss rises most"));
    CHECK(
        says(without(falling), "Head 1.1 has the steepest slope, but there is no head without which the loss rises."));
  }
  CHECK(says(without({0.36, 0.20}), "Head 1.1 has the steepest slope, and without it the loss rises most."));
  CHECK(says(without({0.20, 0.36}), "the loss rises most without head 1.2"));
  CHECK_FALSE(says(without({0.20, 0.36}), "no head"));
}
