#include "nn/losses.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard::nn {

namespace {

Tensor whole(const Nested& data) { return tensor(data, DType::i64); }

}  // namespace

TEST_CASE("losses: mean squared and mean absolute error by hand") {
  CHECK(mse_loss(f64({1, 2}), f64({3, 5})).item() == 6.5);
  CHECK(l1_loss(f64({1, 2}), f64({3, 5})).item() == 2.5);
  const Variable p = parameter(f64({1, 5}));
  mse_loss(p, f64({3, 5})).backward();  // 2·(p − t)/n
  CHECK(identical(p.gradient().value(), f64({-2, 0})));
}

TEST_CASE("losses: cross-entropy of equal logits is log V, smoothed or not") {
  for (const double smoothing : {0.0, 0.1, 1.0})
    CHECK(cross_entropy_loss(full({2, 3, 5}, 7, DType::f64), zeros({2, 3}, DType::i64), {.label_smoothing = smoothing})
              .item() == Approx(std::log(5)).epsilon(1e-15));
}

TEST_CASE("losses: cross-entropy is the mean over the positions that count") {
  // Rows (0, log 3): probabilities ¼ and ¾.
  const Tensor logits = f64({{{0, std::log(3)}, {0, std::log(3)}}, {{NAN, 1}, {0, std::log(3)}}});
  const Tensor classes = whole({{0, 1}, {-1, 0}});
  const double expected = (2 * std::log(4) + std::log(4.0 / 3)) / 3;
  const Variable x = parameter(logits);
  const Variable loss = cross_entropy_loss(x, classes, {.ignore = -1});
  CHECK(loss.item() == Approx(expected).epsilon(1e-15));
  loss.backward();  // (softmax − onehot)/3
  const Tensor gradient = f64({{{-0.25, 0.25}, {1.0 / 12, -1.0 / 12}}, {{0, 0}, {-0.25, 0.25}}});
  CHECK(allclose(x.gradient().value(), gradient, 1e-14, 1e-17));
}

TEST_CASE("losses: if no position counts the loss and its gradient are 0") {
  const Variable x = parameter(f64({{1, 2}, {3, 4}}));
  const Variable loss = cross_entropy_loss(x, whole({7, 7}), {.ignore = 7});
  CHECK(loss.item() == 0);
  loss.backward();
  CHECK(identical(x.gradient().value(), zeros({2, 2}, DType::f64)));
  CHECK(cross_entropy_loss(zeros({0, 2}), zeros({0}, DType::i64)).item() == 0);
}

TEST_CASE("losses: with weights of classes the mean is a weighted one") {
  // Equal logits, so each loss is w·log 2 before the mean: (3·2 + 1)/(3·2 + 1) of it, whatever the weights.
  const Tensor even = zeros({4, 2}, DType::f64), classes = whole({0, 0, 1, -1}), w = f64({3, 1});
  CHECK(cross_entropy_loss(even, classes, {.ignore = -1, .weight = w}).item() == Approx(std::log(2)).epsilon(1e-15));
  const Variable total = cross_entropy_loss(even, classes, {.ignore = -1, .reduction = Reduction::sum, .weight = w});
  CHECK(total.item() == Approx(7 * std::log(2)).epsilon(1e-15));
  // Probabilities ¼ and ¾: (3·log 4 + log 4/3)/4.
  const Tensor x = f64({{0, std::log(3)}, {0, std::log(3)}});
  CHECK(cross_entropy_loss(x, whole({0, 1}), {.weight = w}).item() ==
        Approx((3 * std::log(4) + std::log(4.0 / 3)) / 4).epsilon(1e-15));
  // A class of weight 0 does not count; if nothing counts the mean is 0.
  CHECK(cross_entropy_loss(x, whole({0, 1}), {.weight = f64({0, 2})}).item() ==
        Approx(std::log(4.0 / 3)).epsilon(1e-15));
  CHECK(cross_entropy_loss(x, whole({0, 0}), {.weight = f64({0, 2})}).item() == 0);
  CHECK(cross_entropy_loss(x, whole({7, 7}), {.ignore = 7, .weight = w}).item() == 0);
}

TEST_CASE("losses: one position, and views") {
  CHECK(cross_entropy_loss(f64({0, std::log(3)}), whole(1)).item() == Approx(std::log(4.0 / 3)).epsilon(1e-15));
  const Tensor x = f64({{1, 5}, {2, 3}, {0, 9}});
  CHECK(cross_entropy_loss(transpose(x), whole({2, 0})).item() ==
        cross_entropy_loss(contiguous(transpose(x)), whole({2, 0})).item());
  CHECK(mse_loss(transpose(x), transpose(x)).item() == 0);
}

}  // namespace regard::nn
