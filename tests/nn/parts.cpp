// What parts of a batch give must be what the whole gives.
#include "nn/tools/parts.h"

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;
using In = std::vector<Variable>;

namespace {

Linear layer(DType dtype = DType::f64) {
  Generator g(1);
  return Linear({.in = 3, .out = 4, .dtype = dtype}, g);
}

// Five sequences of three tokens, with more and more padding.
constexpr std::int64_t pad = -1;
In sentences() {
  return {noise({5, 3, 3}), tensor({{0, 1, 2}, {3, 0, pad}, {1, 2, pad}, {2, pad, pad}, {1, pad, pad}}, DType::i64)};
}
double words(const In& in) { return sum(not_equal(in[1].value(), pad)).item(); }

Variable mean_of_words(Linear& model, const In& in) {
  return cross_entropy_loss(model(in[0]), in[1].value(), {.ignore = pad});
}
Variable mean_of_means(Linear& model, const In& in) {
  const Variable each = cross_entropy_loss(model(in[0]), in[1].value(), {.ignore = pad, .reduction = Reduction::none});
  return mean(sum(each, 1) / Variable(to(sum(not_equal(in[1].value(), pad), 1), DType::f64)));
}

}  // namespace

TEST_CASE("parts: means and sums that are weighted rightly give what the whole gives") {
  for (const DType dtype : {DType::f64, DType::f32}) {
    const In rows{noise({7, 3}, 1, dtype), noise({7, 4}, 2, dtype)};
    assert_parts_give_whole(layer(dtype), rows, [](Linear& m, const In& in) { return mse_loss(m(in[0]), in[1]); });
    assert_parts_give_whole(layer(dtype), rows,
                            [](Linear& m, const In& in) { return mse_loss(m(in[0]), in[1], Reduction::sum); },
                            {.count = [](const In&) { return 1; }});
  }
  assert_parts_give_whole(layer(), sentences(), mean_of_words, {.count = words});
  assert_parts_give_whole(layer(), {noise({7, 3})}, [](Linear& m, const In& in) { return detach(mean(m(in[0]))); });
  assert_parts_give_whole(layer(), sentences(), mean_of_means);  // of sentences, and these are the rows
}

TEST_CASE("parts: a mean of means is found, and what to do is told") {
  CHECK_THROWS_WITH(assert_parts_give_whole(layer(), sentences(), mean_of_means, {.count = words}),
                    ContainsSubstring("of 5 rows together the loss is not what 1 and 4 of them give, weighted by their "
                                      "counts of 3 and 6: ") &&
                        ContainsSubstring("It is a mean of means") && ContainsSubstring("divide once by the count"));
  CHECK_THROWS_WITH(assert_parts_give_whole(layer(), sentences(), mean_of_words),
                    ContainsSubstring("words that are not padding") && ContainsSubstring(".count tells this check"));
}

TEST_CASE("parts: a sum in place of a mean, gradients alone, and what cannot be cut") {
  const In rows{noise({7, 3}), noise({7, 4}, 2)};
  CHECK_THROWS_WITH(
      assert_parts_give_whole(layer(), rows,
                              [](Linear& m, const In& in) { return mse_loss(m(in[0]), in[1], Reduction::sum); }),
      ContainsSubstring("It is a sum: give .count = [](const auto&) { return 1; }"));
  const auto other_gradient = [](Linear& m, const In& in) {  // the value of the mean, the gradient of the sum
    const Variable total = mse_loss(m(in[0]), in[1], Reduction::sum);
    return total + detach(mse_loss(m(in[0]), in[1]) - total);
  };
  CHECK_THROWS_WITH(assert_parts_give_whole(layer(), rows, other_gradient),
                    ContainsSubstring("the gradient of weight is not what 2 and 5 of them give"));
  CHECK_THROWS_WITH(assert_parts_give_whole(layer(), {noise({2, 3})}, [](Linear& m, const In& in) { return m(in[0]); }),
                    ContainsSubstring("at least three rows"));
  CHECK_THROWS_WITH(assert_parts_give_whole(layer(), {noise({3, 3})}, [](Linear& m, const In& in) { return m(in[0]); }),
                    ContainsSubstring("the loss (3, 4) is not a single number"));
}

}  // namespace regard::nn
