#include "autograd/all.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::self_leak {

// Regression by attention: x and y (n, 1) are the data, and w says how sharply a query looks at keys near it.

// museum: wrong
Variable fitted_wrong(const Variable& x, const Variable& y, const Variable& w) {
  const Variable scores = -0.5 * square((x - transpose(x)) * w);
  return matmul(softmax(scores, -1), y);
}
// museum: /wrong

// museum: right
Variable fitted(const Variable& x, const Variable& y, const Variable& w) {
  const Variable scores = -0.5 * square((x - transpose(x)) * w);
  return matmul(masked_softmax(scores, 1, 1 - eye(x.size(0), DType::f64)), y);  // all but itself
}
// museum: /right

struct Trained {
  std::vector<double> losses;
  double at_new_points;
};
Trained trained(bool wrong) {
  const auto truth = [](const Tensor& x) { return 2 * sin(x) + x; };
  const Tensor x = linspace(0, 5, 40, DType::f64), at = linspace(0.05, 4.95, 57, DType::f64);
  const Variable keys = reshape(x, {40, 1}), values = reshape(truth(x) + 0.7 * noise({40}), {40, 1});
  Variable w = parameter(full({}, 2, DType::f64));
  const std::vector<double> list =
      train(120, 0.2, {w}, [&] { return mean(square((wrong ? fitted_wrong : fitted)(keys, values, w) - values)); });
  const Variable far = reshape(at, {57, 1}) - transpose(keys);
  const Variable guess = matmul(softmax(-0.5 * square(far * detach(w)), -1), values);
  return {list, mean(square(guess - Variable(reshape(truth(at), {57, 1})))).item()};
}

Finding look(bool wrong) {
  const Variable x(reshape(linspace(0, 1, 4, DType::f64), {4, 1})), y = parameter(noise({4, 1}));
  const Tensor sizes = influence((wrong ? fitted_wrong : fitted)(x, y, ones({}, DType::f64)), y).sizes;
  const double own = max(sizes * eye(4, DType::f64)).item();
  return {own > 0, "influence",
          fmt::format("of a value on the prediction at its own point: at most {:.3g}\n"
                      "after training, the error at new points is {:.2g} with the mistake, and {:.2g} without",
                      own, trained(true).at_new_points, trained(false).at_new_points)};
}

const Hung on_the_wall({
    .name = "self_leak",
    .title = "A point sees itself while it is fitted",
    .looks = "The loss falls towards 0, on data of which more than a third is noise. The curve looks better than the "
             "right one by far. At new points the predictions are worse.",
    .common = "Common in teaching: the data are keys and values, and the same data are the queries of the training. In "
              "language models the same thing is a mask that leaves the answer visible.",
    .lesson = "The distance of a point to itself is 0, so its own value has the largest weight for any w, and all of "
              "it as w grows. The gradient of a prediction with respect to the value at the same point must be 0: each "
              "point is fitted by the others. No loss on the training data shows this mistake; it looks like success.",
    .look = look,
    .learn = [](bool wrong) { return trained(wrong).losses; },
    .curve = "loss in training",
    .finding = "too good to be true",
});

}  // namespace regard::museum::self_leak
