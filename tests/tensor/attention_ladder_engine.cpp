// The top rung of the attention ladder against what the library uses.
#include "tensor/attention/engine/dot_score.h"
#include "tensor/attention/engine/passes.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/tensor/attention_ladder.h"

namespace regard::attention_ladder {
namespace {

template <class T>
Tensor rows(const std::vector<T>& x, std::int64_t count, std::int64_t size) {
  return tensor(std::vector<double>(x.begin(), x.end()), {count, size},
                std::is_same_v<T, float> ? DType::f32 : DType::f64);
}
template <class T>
std::vector<T> in_rows(const Tensor& x) {
  const Tensor dense = contiguous(x);
  return {dense.data<T>(), dense.data<T>() + dense.numel()};
}

template <class T>
void compare(const Sizes& sizes, bool causal, double tolerance) {
  Problem<T> p(sizes);
  AttentionInputs in{rows(p.q, sizes.queries, sizes.features), rows(p.k, sizes.keys, sizes.features),
                     rows(p.v, sizes.keys, sizes.value_size)};
  for (std::int64_t i = 0; causal && i < sizes.queries; ++i) {
    p.ranges.push_back({0, std::min(i + 1, sizes.keys)});
    in.visible.ranges.push_back({0, std::min(i + 1, sizes.keys)});
  }
  const engine::DotTiles<T> score(static_cast<double>(p.scale));
  const AttentionForward made = attention_forward<T>(in, score);
  const AttentionGradients to = attention_gradients<T>(in, score, made, {rows(p.g, sizes.queries, sizes.value_size)},
                                                       {true, true, true, false, false});
  const Results<T> top = results_of(ladder<T>().back(), p);
  CAPTURE(sizes.queries, sizes.keys, causal, sizeof(T));
  CHECK(difference(top.output, in_rows<T>(made.output)) < tolerance);
  CHECK(difference(top.q, in_rows<T>(to.q)) < tolerance);
  CHECK(difference(top.k, in_rows<T>(to.k)) < tolerance);
  CHECK(difference(top.v, in_rows<T>(to.v)) < tolerance);
}

}  // namespace

TEST_CASE("attention ladder: the top rung is what the library computes") {
  for (const Sizes& sizes : {Sizes{1, 1, 1, 1}, Sizes{7, 13, 5, 3}, Sizes{150, 300, 64, 64}, Sizes{300, 150, 16, 40}})
    for (const bool causal : {false, true}) {
      compare<double>(sizes, causal, 1e-12);
      compare<float>(sizes, causal, 5e-6);
    }
}

}  // namespace regard::attention_ladder
