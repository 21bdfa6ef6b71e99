// What is said below pictures of models that write follows from the numbers.
#include "examples/trainers/heads.h"

#include "examples/published/published.h"
#include "examples/trainers/writing_pictures.h"
#include "tests/catch.h"
#include "tests/given.h"

using namespace regard;

TEST_CASE("The head that looks most at the token right before is named, with how much") {
  // Two layers with two heads each, on three tokens. The first row has no token before it.
  const Tensor itself = f64({{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}), before = f64({{1, 0, 0}, {0.9, 0.1, 0}, {0, 0.6, 0.4}});
  const Tensor evenly = f64({{1, 0, 0}, {0.5, 0.5, 0}, {0.3, 0.3, 0.4}});
  const Tensor weights = stack({stack({itself, evenly}, 0), stack({before, itself}, 0)}, 0);
  CHECK(most_on_previous(weights) ==
        "head 1 of layer 2 puts 75 % of its weight on the token right before, the most of all");
  CHECK(most_at(weights, Place::itself).share == 1);
  CHECK(most_at(weights, Place::itself).layer == 0);
  CHECK(most_at(weights, Place::first).share == Approx((0.9 + 0) / 2));  // head 1 of layer 2: 0.9 and 0
}

TEST_CASE("Which of two models has more weight somewhere") {
  CHECK(more_weight("A", 0.44, 0.6) == "the one trained here has more weight on A: 60 % against 44 %");
  CHECK(more_weight("A", 0.6, 0.44) == "the published one has more weight on A: 60 % against 44 %");
}

TEST_CASE("Heads are those of the whole model, layer by layer, and looking changes nothing in it") {
  Generator generator(1);
  nn::Gpt model =
      nn::make_gpt({.model = 8, .layers = 3, .heads = 2, .vocabulary = 5, .longest = 6, .dropout = 0.5}, generator);
  const Tensor weights = looks_at(model, {0, 1, 2, 3});
  REQUIRE(weights.shape() == Shape{3, 2, 4, 4});
  CHECK(identical(weights, looks_at(model, {0, 1, 2, 3})));  // without dropout
  const Tensor tokens = tensor({{0, 1, 2, 3}}, DType::i64);
  CHECK_FALSE(identical(model(tokens).value(), model(tokens).value()));  // the model itself still drops out
  for (std::int64_t layer = 0; layer < 3; ++layer)
    for (std::int64_t head = 0; head < 2; ++head) {
      const Tensor one = select(select(weights, 0, layer), 0, head);
      for (std::int64_t i = 0; i < 4; ++i) {
        CHECK(sum(select(one, 0, i)).item() == Approx(1));
        for (std::int64_t later = i + 1; later < 4; ++later) CHECK(one.at({i, later}) == 0);
      }
    }
}

TEST_CASE("What is masked is not a number, and all else stays") {
  const Tensor weights = f64({{{{1, 0, 0}, {0, 1, 0}, {0.5, 0, 0.5}}}});
  const Tensor shown = without_masked(weights);
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 3; ++j) {
      CAPTURE(i, j);
      const double value = shown.at({0, 0, i, j});
      CHECK(std::isnan(value) == (j > i));
      if (j <= i) CHECK(value == weights.at({0, 0, i, j}));
    }
}

TEST_CASE("A text of one token has none before") {
  CHECK(most_on_previous(ones({1, 1, 1, 1})) == "there is a single token, so all it can look at is itself");
}

TEST_CASE("That more of a text helps is said only where it does") {
  CHECK(about_context({2.69, 2.37, 2.52}) ==
        "With one character it is 2.69, with 3 it is 2.52; it is least with 2, 2.37: what stands further back helps no "
        "more.");
  CHECK(about_context({2.69, 2.37, 2.3}) == "With one character it is 2.69, with 3 it is 2.30.");
}

TEST_CASE("Which n-gram models are beaten") {
  const std::vector<double> counted{3.3, 2.5, 2.1, 1.9};
  CHECK(beaten(counted, 4) == "worse than all n-gram models");
  CHECK(beaten(counted, 2.0) == "better than n-grams of n = 1 to 3, and not better than those of n = 4");
  CHECK(beaten(counted, 1.8) == "better than n-grams of n = 1 to 4");
  const Curves curves{.steps = {}, .learned = {}, .tested_at = {1, 8, 64, 512}, .tested = {4, 2.6, 2.2, 2.05}};
  CHECK(title_of_losses(curves, counted, 2.0) == "by step 512 it has passed n-grams of n = 1 to 3");
  CHECK(title_of_losses(curves, counted, 2.6) == "by step 8 it has passed n-grams of n = 1");
  CHECK(title_of_losses(curves, counted, 2.3) == "by step 64 it has passed n-grams of n = 1 to 2");
  CHECK(title_of_losses(curves, counted, 4) == beaten(counted, 4));
  CHECK(title_of_losses(curves, counted, 1.8) == beaten(counted, 1.8));  // a part of the text was not enough for it
}
