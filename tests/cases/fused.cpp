#include "tests/cases/case.h"

namespace regard::cases {
namespace {

// Of two pairs in each of three rows.
std::pair<Tensor, Tensor> turns(DType dtype) {
  const Tensor angles = tensor({{0, 0}, {1, 0.1}, {-2, 0.2}}, dtype);
  return {cos(angles), sin(angles)};
}

}  // namespace

void add_fused(Table& t) {
  t.add("layer_norm", "rows", {real({3, 4}), real({4}), real({4})},
        [](const In& in) { return layer_norm(in[0], in[1], in[2]); });
  t.add("layer_norm", "batch", {real({2, 2, 3}), real({3}), real({3})},
        [](const In& in) { return layer_norm(in[0], in[1], in[2], 0.1); });
  t.add("rms_norm", "rows", {real({3, 4}), real({4})}, [](const In& in) { return rms_norm(in[0], in[1]); });
  t.add("rms_norm", "batch", {real({2, 2, 3}), real({3})}, [](const In& in) { return rms_norm(in[0], in[1], 0.1); });
  t.add("rotate_pairs", "neighbours", {real({2, 3, 4})}, [](const In& in) {
    const auto [cosine, sine] = turns(in[0].dtype());
    return rotate_pairs(in[0], cosine, sine, PairLayout::interleaved);
  });
  t.add("rotate_pairs", "halves-and-rest", {real({3, 5})}, [](const In& in) {
    const auto [cosine, sine] = turns(in[0].dtype());
    return rotate_pairs(in[0], cosine, sine, PairLayout::halves);
  });
  t.add("cross_entropy", "classes", {real({3, 4}), indexes({3}, 4)},
        [](const In& in) { return cross_entropy(in[0], in[1].value()); });
  t.add("cross_entropy", "smoothed", {real({3, 4}), indexes({3}, 4)},
        [](const In& in) { return cross_entropy(in[0], in[1].value(), {.label_smoothing = 0.2}); });
  t.add("cross_entropy", "ignored-class", {real({6, 3}), indexes({6}, 3)},
        [](const In& in) { return cross_entropy(in[0], in[1].value(), {.ignore = 1}); });
  t.add("cross_entropy", "weights-of-classes", {real({5, 3}), indexes({5}, 3)}, [](const In& in) {
    return cross_entropy(in[0], in[1].value(), {.ignore = 1, .weight = tensor({0.5, 2, 3})});
  });
  t.add("cross_entropy", "weights-smoothed", {real({3, 4}), indexes({3}, 4)}, [](const In& in) {
    return cross_entropy(in[0], in[1].value(), {.label_smoothing = 0.2, .weight = tensor({0.5, 2, 3, 0})});
  });
  t.add("masked_softmax", "same-shape", {real({2, 4}), indexes({2, 4}, 3)},
        [](const In& in) { return masked_softmax(in[0], 0.7, to(in[1].value(), in[0].dtype())); });
  t.add("masked_softmax", "broadcast", {real({2, 2, 3}), indexes({2, 1, 3}, 3)},
        [](const In& in) { return masked_softmax(in[0], 1.5, to(in[1].value(), in[0].dtype())); });
}

}  // namespace regard::cases
