#include "tests/cases/case.h"

#include <cmath>

namespace regard::cases {

void add_pointwise(Table& t) {
  t.add("exp", "matrix", {real({2, 3})}, [](const In& in) { return exp(in[0]); });
  t.add("exp", "scalar", {real({})}, [](const In& in) { return exp(in[0]); });
  t.add("log", "matrix", {between({2, 3}, 0.2, 3)}, [](const In& in) { return log(in[0]); });
  t.add("sqrt", "matrix", {between({2, 3}, 0.2, 3)}, [](const In& in) { return sqrt(in[0]); });
  t.add("rsqrt", "matrix", {between({2, 3}, 0.2, 3)}, [](const In& in) { return rsqrt(in[0]); });
  t.add("square", "matrix", {real({2, 3})}, [](const In& in) { return square(in[0]); });
  t.add("sin", "matrix", {around({2, 3}, 4)}, [](const In& in) { return sin(in[0]); });
  t.add("cos", "matrix", {around({2, 3}, 4)}, [](const In& in) { return cos(in[0]); });
  // book: tanh
  t.add("tanh", "matrix", {real({2, 3})}, [](const In& in) { return tanh(in[0]); });
  t.add("tanh", "permuted-cube", {real({2, 3, 2})}, [](const In& in) { return tanh(permute(in[0], {2, 0, 1})); });
  // book: /tanh
  t.add("erf", "matrix", {real({2, 3})}, [](const In& in) { return erf(in[0]); });
  t.add("sigmoid", "matrix", {around({2, 3}, 5)}, [](const In& in) { return sigmoid(in[0]); });
  t.add("softplus", "matrix", {around({2, 3}, 5)}, [](const In& in) { return softplus(in[0]); });
  t.add("silu", "matrix", {around({2, 3}, 5)}, [](const In& in) { return silu(in[0]); });
  t.add("gelu", "matrix", {around({2, 3}, 3)}, [](const In& in) { return gelu(in[0]); });
  t.add("gelu_tanh", "matrix", {around({2, 3}, 3)}, [](const In& in) { return gelu(in[0], GeluForm::tanh); });
  t.add("relu", "both-sides", {away_from({3, 3}, 0, 0.1)}, [](const In& in) { return relu(in[0]); });
  t.add("leaky_relu", "both-sides", {away_from({3, 3}, 0, 0.1)}, [](const In& in) { return leaky_relu(in[0], 0.2); });
  t.add("abs", "both-sides", {away_from({3, 3}, 0, 0.1)}, [](const In& in) { return abs(in[0]); });
  t.add("clamp", "inside-and-outside", {distinct({3, 3})}, [](const In& in) { return clamp(in[0], -0.7, 0.8); });
  t.add("clamp", "from-below", {distinct({3, 3})}, [](const In& in) { return clamp(in[0], -0.7, INFINITY); });
  t.add("clamp", "from-above", {distinct({3, 3})}, [](const In& in) { return clamp(in[0], -INFINITY, 0.8); });
  t.add("is_nan", "none", {real({2, 3})}, [](const In& in) { return Variable(is_nan(in[0])); });
  t.add("to", "same-dtype", {real({2, 3})}, [](const In& in) { return to(in[0], DType::f64); });
}

}  // namespace regard::cases
