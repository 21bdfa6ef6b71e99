// The operations that do several steps in one pass: values by hand, and what must never happen.
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/fused/cross_entropy.h"
#include "tensor/fused/masked_softmax.h"
#include "tensor/fused/norm.h"
#include "tensor/fused/rotate_pairs.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>

namespace regard {

TEST_CASE("layer_norm: a row by hand") {
  // 1, 2, 3, 4: mean 2.5, variance 1.25; with ε = 1 the scale is 1/√2.25 = 2/3.
  const Tensor x = tensor({{1, 2, 3, 4}}, DType::f64), w = tensor({1, 1, 3, 3}, DType::f64),
               b = tensor({0, 5, 0, 5}, DType::f64);
  const NormResult made = layer_norm(x, w, b, 1);
  CHECK(allclose(made.y, tensor({{-1, 5 - 1.0 / 3, 1, 8}}, DType::f64), 1e-15, 1e-15));
  CHECK(made.mean.item() == 2.5);
  CHECK(made.scale.item() == Approx(2.0 / 3).epsilon(1e-15));
}

TEST_CASE("layer_norm: rows of any length have mean 0 and variance 1, and no row influences another") {
  for (const std::int64_t length : {2, 3, 15, 16, 17, 127, 128, 129, 1000}) {
    const Tensor x = noise({5, length}, 5, DType::f64);
    const Tensor y = layer_norm(x, ones({length}, DType::f64), zeros({length}, DType::f64), 0).y;
    CHECK(allclose(mean(y, -1), zeros({5}, DType::f64), 0, 1e-13));
    CHECK(allclose(var(y, -1), ones({5}, DType::f64), 1e-12, 0));
    CHECK(identical(layer_norm(slice(x, 0, 2, 3), ones({length}, DType::f64), zeros({length}, DType::f64), 0).y,
                    slice(y, 0, 2, 3)));
  }
}

TEST_CASE("layer_norm: a strided view is what its packed copy is, and no rows make no rows") {
  const Tensor x = noise({6, 4}, 5, DType::f32), w = noise({4}, 5, DType::f32);
  CHECK(identical(layer_norm(transpose(contiguous(transpose(x))), w, w).y, layer_norm(x, w, w).y));
  CHECK(layer_norm(zeros({0, 4}), w, w).y.shape() == Shape{0, 4});
  const NormResult made = layer_norm(zeros({0, 4}), w, w);
  const auto gradients = layer_norm_gradients(zeros({0, 4}), zeros({0, 4}), w, made);
  CHECK(identical(gradients.weight, zeros({4})));
}

TEST_CASE("rms_norm: a row by hand, rows of any length, and no rows") {
  // 1, 2, 2, 4: the mean of squares is 6.25; with ε = 2.75 the scale is 1/3.
  const NormResult made = rms_norm(f64({{1, 2, 2, 4}}), f64({1, 1, 3, 3}), 2.75);
  CHECK(allclose(made.y, f64({{1.0 / 3, 2.0 / 3, 2, 4}}), 1e-15, 1e-15));
  CHECK(made.scale.item() == Approx(1.0 / 3).epsilon(1e-15));
  for (const std::int64_t length : {1, 15, 16, 17, 64, 65, 512, 513, 3000}) {
    const Tensor x = noise({5, length}, 5), weight = ones({length}, DType::f64), y = rms_norm(x, weight, 0).y;
    CHECK(allclose(mean(square(y), -1), ones({5}, DType::f64), 1e-13, 0));
    CHECK(identical(rms_norm(slice(x, 0, 2, 3), weight, 0).y, slice(y, 0, 2, 3)));
  }
  const Tensor w = ones({4}), none = zeros({0, 4});
  CHECK(identical(rms_norm_gradients(none, none, w, rms_norm(none, w)).weight, zeros({4})));
}

TEST_CASE("rotate_pairs: quarter turns by hand, in either layout, of views and with features that stay") {
  const Tensor cosine = f64({0, 1}), sine = f64({1, 0}), x = f64({{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}});
  CHECK(identical(rotate_pairs(x, cosine, sine, PairLayout::interleaved), f64({{-2, 1, 3, 4, 5}, {-7, 6, 8, 9, 10}})));
  CHECK(identical(rotate_pairs(x, cosine, sine, PairLayout::halves), f64({{-3, 2, 1, 4, 5}, {-8, 7, 6, 9, 10}})));
  const Tensor each = f64({{0, 1}, {1, 1}}), none = f64({{1, 0}, {0, 0}});  // a row of turns for each row
  CHECK(identical(rotate_pairs(x, each, none, PairLayout::interleaved), f64({{-2, 1, 3, 4, 5}, {6, 7, 8, 9, 10}})));
  const Tensor turned = transpose(contiguous(transpose(x)));
  CHECK(
      identical(rotate_pairs(turned, each, none, PairLayout::halves), rotate_pairs(x, each, none, PairLayout::halves)));
}

TEST_CASE("cross_entropy: rows by hand") {
  // Equal logits: log 4 whatever the class and the smoothing. Then e^0 : e^log 3 = 1 : 3.
  const Tensor x = tensor({{2, 2, 2, 2}}, DType::f64);
  CHECK(cross_entropy(x, tensor({3}, DType::i64)).loss.item() == Approx(std::log(4)).epsilon(1e-15));
  CHECK(cross_entropy(x, tensor({1}, DType::i64), {.label_smoothing = 0.3}).loss.item() ==
        Approx(std::log(4)).epsilon(1e-15));
  const Tensor two = tensor({{0, std::log(3)}, {0, std::log(3)}}, DType::f64);
  CHECK(allclose(cross_entropy(two, tensor({0, 1}, DType::i64)).loss,
                 tensor({std::log(4), std::log(4.0 / 3)}, DType::f64), 1e-15, 0));
}

TEST_CASE("cross_entropy: logits of any size, and rows that are ignored") {
  const Tensor x = tensor({{1000, 0, -1000}, {NAN, NAN, NAN}, {-400, -400, -400}});
  const CrossEntropyOptions options{.ignore = -1};
  const Tensor classes = tensor({0, -1, 2}, DType::i64);
  const CrossEntropyResult made = cross_entropy(x, classes, options);
  CHECK(allclose(made.loss, tensor({0, 0, std::log(3)}), 1e-6, 0));
  const Tensor gradient = cross_entropy_gradient(ones({3}), x, classes, made, options);
  CHECK(allclose(gradient, tensor({{0, 0, 0}, {0, 0, 0}, {1.0 / 3, 1.0 / 3, -2.0 / 3}}), 1e-6, 1e-7));
}

TEST_CASE("cross_entropy: weights of classes, beside PyTorch's values") {
  // x = torch.tensor([[1., 2, 0], [0, -1, 3], [2, 2, 1]], dtype=torch.float64, requires_grad=True)
  // l = F.cross_entropy(x, torch.tensor([0, 2, 1]), torch.tensor([1., 2, 4], dtype=torch.float64), reduction="none",
  //                     label_smoothing=s); print(l, torch.autograd.grad(l.sum(), x))
  const Tensor x = f64({{1, 2, 0}, {0, -1, 3}, {2, 2, 1}}), c = tensor({0, 2, 1}, DType::i64), w = tensor({1, 2, 4});
  const CrossEntropyOptions hard{.weight = w}, smooth{.label_smoothing = 0.3, .weight = w};
  const CrossEntropyResult one = cross_entropy(x, c, hard), other = cross_entropy(x, c, smooth);
  CHECK(allclose(one.loss, f64({1.4076059644443804, 0.26353561502971645, 1.7239896081165023}), 1e-14, 0));
  CHECK(allclose(other.loss, f64({2.1706483502221325, 1.330593663151002, 2.210189088522327}), 1e-14, 0));
  const Tensor g = ones({3}, DType::f64);
  CHECK(allclose(cross_entropy_gradient(g, x, c, one, hard),
                 f64({{-0.7552715289452023, 0.6652409557748218, 0.09003057317038043},
                      {0.18645049031189556, 0.06859130218208155, -0.25504179249397696},
                      {0.8446375965030364, -1.1553624034969636, 0.3107248069939272}}),
                 1e-13, 0));
  CHECK(allclose(cross_entropy_gradient(g, x, c, other, smooth),
                 f64({{-0.45738014052328324, 0.7313373380847504, -0.27395719756146736},
                      {0.0631441790229086, -0.13998261059067862, 0.07683843156777001},
                      {0.7868694763281883, -0.7131305236718116, -0.07373895265637641}}),
                 1e-13, 0));
  const CrossEntropyOptions alike{.label_smoothing = 0.3, .weight = ones({3})};  // each counts 1: as without weights
  CHECK(allclose(cross_entropy(x, c, alike).loss, cross_entropy(x, c, {.label_smoothing = 0.3}).loss, 1e-15, 0));
}

TEST_CASE("masked_softmax: only what is kept takes part, whatever stands elsewhere") {
  const Tensor x = tensor({{0, NAN, std::log(3)}, {inf, 5, -inf}, {NAN, inf, -inf}}, DType::f64);
  const Tensor keep = tensor({{1, 0, 1}, {0, 1, 0}, {0, 0, 0}}, DType::f64);
  CHECK(allclose(masked_softmax(x, 1, keep), tensor({{0.25, 0, 0.75}, {0, 1, 0}, {0, 0, 0}}, DType::f64), 1e-15, 0));
  CHECK(allclose(masked_softmax(x, 2, keep), tensor({{0.1, 0, 0.9}, {0, 1, 0}, {0, 0, 0}}, DType::f64), 1e-15, 0));

  const Tensor g = tensor({{1, NAN, 3}, {inf, 1, NAN}, {NAN, NAN, NAN}}, DType::f64);
  // ∂x = y·(g − Σ g·y): the mean of g is 0.25 + 2.25 = 2.5.
  const Tensor gradient = masked_softmax_gradient(g, masked_softmax(x, 1, keep), 1, keep);
  CHECK(allclose(gradient, tensor({{-0.375, 0, 0.375}, {0, 0, 0}, {0, 0, 0}}, DType::f64), 1e-15, 1e-15));
  // A gradient of ∞ or NaN that is kept spoils all that is kept, even where the weight is 0, and no more.
  const Tensor weights = tensor({0.25, 0, 0.75, 0}, DType::f64), kept = tensor({1, 0, 1, 1}, DType::f64);
  for (const double one : {double{inf}, double{NAN}}) {
    const auto spoilt = to_vector(masked_softmax_gradient(tensor({one, 1, 3, 1}, DType::f64), weights, 1, kept));
    CHECK(spoilt[1] == 0);
    for (const std::size_t i : {0, 2, 3}) CHECK_FALSE(std::isfinite(spoilt[i]));
  }
}

TEST_CASE("masked_softmax: what is kept is a softmax by itself, in rows of any length") {
  Generator generator(2);
  for (const DType dtype : {DType::f32, DType::f64})
    for (const std::int64_t n : {4, 16, 17, 63, 64, 100, 330}) {
      std::vector<double> indexes;
      for (std::int64_t i = 1; i < n; ++i)
        if (i % 3 != 0) indexes.push_back(static_cast<double>(i));
      const Tensor some = tensor(indexes, {std::ssize(indexes)}, DType::i64);
      const auto of_kept = [&](const Tensor& x) { return index_select(x, 0, some); };
      const Tensor keep = to(not_equal(remainder(arange(n), 3), 0), dtype), nothing = full({n}, NAN, dtype);
      const Tensor x = normal({n}, generator, 0, 2, dtype), g = normal({n}, generator, 0, 1, dtype);
      const Tensor y = masked_softmax(where(keep, x, nothing), -0.5, keep);
      const Tensor slope = masked_softmax_gradient(where(keep, g, nothing), y, -0.5, keep);
      const Tensor right = softmax(of_kept(x) * -0.5, -1);
      INFO(n);
      CHECK(allclose(of_kept(y), right, 1e-6, 1e-7));
      CHECK(allclose(of_kept(slope), softmax_gradient(of_kept(g), right, -1) * -0.5, 1e-5, 1e-6));
      for (const Tensor& made : {y, slope}) CHECK(identical(where(keep, zeros({n}, dtype), made), zeros({n}, dtype)));
    }
}

TEST_CASE("masked_softmax: masks of any shape that broadcasts") {
  const Tensor x = noise({2, 3, 4, 5}, 5, DType::f32), all = ones({}, DType::f32);
  CHECK(allclose(masked_softmax(x, 1, all), softmax(x, -1), 1e-6, 1e-7));
  for (const Shape& shape :
       {Shape{5}, Shape{4, 5}, Shape{4, 1}, Shape{2, 1, 1, 5}, Shape{2, 3, 4, 5}, Shape{3, 1, 1}}) {
    const Tensor keep = greater(noise(shape, 5, DType::f32), -1);
    CHECK(identical(masked_softmax(x, 0.5, keep), masked_softmax(x, 0.5, contiguous(expand(keep, x.shape())))));
    CHECK(identical(masked_softmax(x, 0.5, flip(keep, 0)), masked_softmax(x, 0.5, contiguous(flip(keep, 0)))));
  }
  CHECK(masked_softmax(zeros({3, 0}), 1, zeros({3, 0})).shape() == Shape{3, 0});
}

}  // namespace regard
