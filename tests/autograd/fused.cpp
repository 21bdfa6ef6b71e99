// A fused operation and its composed twin are the same function: value, gradients, and gradients of gradients.
#include "tests/autograd/twins.h"

namespace regard {

TEST_CASE("fused: layer_norm is its twin") {
  const auto fused = [](const auto& in) { return layer_norm(in[0], in[1], in[2]); };
  const auto composed = [](const auto& in) { return layer_norm_composed(in[0], in[1], in[2]); };
  for (const Shape& shape : {Shape{1}, Shape{7}, Shape{3, 1}, Shape{130, 33}, Shape{2, 65, 17}}) {
    const Shape row{shape.back()};
    require_same(fused, composed, {noise(shape, 1, DType::f64), noise(row, 2, DType::f64), noise(row, 3, DType::f64)},
                 1e-12);
    require_same(fused, composed, {noise(shape, 1, DType::f32), noise(row, 2, DType::f32), noise(row, 3, DType::f32)},
                 1e-5);
  }
}

TEST_CASE("fused: rms_norm is its twin") {
  const auto fused = [](const auto& in) { return rms_norm(in[0], in[1]); };
  const auto composed = [](const auto& in) { return rms_norm_composed(in[0], in[1]); };
  for (const Shape& shape : {Shape{1}, Shape{7}, Shape{3, 1}, Shape{130, 33}, Shape{2, 65, 17}, Shape{2, 1100}}) {
    const Shape row{shape.back()};
    require_same(fused, composed, {noise(shape, 1, DType::f64), noise(row, 2, DType::f64)}, 1e-12);
    require_same(fused, composed, {noise(shape, 1, DType::f32), noise(row, 2, DType::f32)}, 1e-5);
  }
}

TEST_CASE("fused: cross_entropy is its twin") {
  Generator generator(4);
  const Tensor classes = to(uniform({70}, generator, 0, 9, DType::f64), DType::i64);
  const Tensor weight = abs(noise({9}, 5));
  for (const CrossEntropyOptions& options :
       {CrossEntropyOptions{}, CrossEntropyOptions{.label_smoothing = 0.1}, CrossEntropyOptions{.ignore = 3},
        CrossEntropyOptions{.ignore = 3, .weight = weight},
        CrossEntropyOptions{.label_smoothing = 0.1, .ignore = 3, .weight = weight}})
    require_same([&](const auto& in) { return cross_entropy(in[0], classes, options); },
                 [&](const auto& in) { return cross_entropy_composed(in[0], classes, options); },
                 {noise({70, 9}, 1, DType::f64)}, 1e-13);
}

TEST_CASE("fused: masked_softmax is its twin, and NaN behind the mask reaches no gradient") {
  const Tensor keep = greater(noise({5, 1, 40}, 6, DType::f64), 0.5);
  const auto fused = [&](const auto& in) { return masked_softmax(in[0], 0.3, keep); };
  const auto composed = [&](const auto& in) { return masked_softmax_composed(in[0], 0.3, keep); };
  const Tensor x = noise({5, 3, 40}, 1, DType::f64);
  require_same(fused, composed, {x}, 1e-13);
  const Tensor poisoned = where(expand(keep, x.shape()), x, full({}, NAN, DType::f64));
  require_same(fused, composed, {poisoned}, 1e-13);
  require_same(fused, composed, {multiply(x, 3000)}, 1e-11);  // e^900 is beyond f64
  require_same([&](const auto& in) { return masked_softmax(in[0], 2, zeros({40}, DType::f64)); },
               [&](const auto& in) { return masked_softmax_composed(in[0], 2, zeros({40}, DType::f64)); }, {x}, 1e-13);
}

TEST_CASE("fused: an input made from another gets its own gradient, not that of its past twice") {
  // One number by rms_norm, with the weight 2x:  y = 2x²/r, r = √(x² + ε) = ½;  y′ = 4x/r − 2x³/r³.
  const Variable x = parameter(tensor({0.3}, DType::f64));
  const auto first = grad({sum(rms_norm(x, 2 * x, 0.16))}, {x}, {.create_graph = true});
  CHECK(first[0].item() == Approx(1.968).epsilon(1e-13));
  CHECK(grad({sum(first[0])}, {x})[0].item() == Approx(2.3552).epsilon(1e-12));  // 4/r − 10x²/r³ + 6x⁴/r⁵
}

TEST_CASE("fused: rows of cross_entropy that are ignored get no gradient, even where they are NaN") {
  const Variable x = parameter(tensor({{NAN, NAN}, {0, 0}}, DType::f64));
  const Tensor classes = tensor({-1, 0}, DType::i64);
  const auto loss = [&] { return sum(cross_entropy(x, classes, {.ignore = -1})); };
  const Tensor expected = tensor({{0, 0}, {-0.5, 0.5}}, DType::f64);
  CHECK(allclose(grad({loss()}, {x})[0].value(), expected));
  CHECK(allclose(grad({loss()}, {x}, {.create_graph = true})[0].value(), expected));
}

}  // namespace regard
