// Attention as an operation. Here masks are plain descriptions, Visible, as nn hands them down.
#include "tests/cases/case.h"

namespace regard::cases {
namespace {

MaskRule fixed(const Visible& visible, const Variable& bias = {}) {
  return [=](const Shape&, DType, std::int64_t) { return ResolvedMask{visible, bias}; };
}

// Query i sees the keys up to its own.
Visible causal(std::int64_t queries) {
  Visible visible;
  for (std::int64_t i = 0; i < queries; ++i) visible.ranges.push_back({0, i + 1});
  return visible;
}

const FusedScore& weighted_l1() {  // −Σ θ·|q − k|
  static const FusedScore made = score([](auto q, auto k, auto w) { return -(w * abs(q - k)); });
  return made;
}

// Features that q and k share must not be equal: |q − k| has its kink there.
std::vector<InputSpec> apart(const Shape& q, const Shape& k, const Shape& v, const Shape& parameters) {
  return {anywhere(between(q, 1, 3)), anywhere(between(k, -2, 0.5)), real(v), anywhere(between(parameters, 0.2, 1))};
}

}  // namespace

void add_attention(Table& t) {
  t.add("fused_attention", "dot", {real({3, 2}), real({4, 2}), real({4, 3})},
        [](const In& in) { return fused_attention(shipped_scores::dot(0.7), in[0], in[1], in[2]); });
  t.add("fused_attention", "dot-causal-heads", {real({2, 2, 3, 2}), real({2, 2, 3, 2}), real({2, 2, 3, 2})},
        [](const In& in) {
          return fused_attention(shipped_scores::dot(0.7), in[0], in[1], in[2], {.mask = fixed(causal(3))});
        });
  t.add("fused_attention", "dot-lengths", {real({2, 3, 2}), real({2, 4, 2}), real({2, 4, 2})}, [](const In& in) {
    const Visible lengths{.ranges = {{0, 2}, {0, 2}, {0, 2}, {0, 3}, {0, 0}, {0, 3}}, .per_sequence = true};
    return fused_attention(shipped_scores::dot(1), in[0], in[1], in[2], {.mask = fixed(lengths)});
  });
  t.add("fused_attention", "dot-bias-table", {real({2, 3, 2}), real({2, 4, 2}), real({2, 4, 3}), real({3, 4})},
        [](const In& in) {
          const Visible table{.keep = tensor({{1, 0, 1, 1}, {0, 1, 1, 0}, {1, 1, 1, 1}}, in[0].dtype())};
          return fused_attention(shipped_scores::dot(1), in[0], in[1], in[2], {.mask = fixed(table, in[3])});
        });
  t.add("fused_attention", "additive", {real({3, 2}), real({4, 2}), real({4, 2}), real({2})}, [](const In& in) {
    return fused_attention(shipped_scores::additive(), in[0], in[1], in[2], {.parameters = in[3]});
  });
  t.add_kinked("fused_attention", "l1-per-key", apart({3, 2}, {4, 2}, {4, 2}, {4, 2}),
               [](const In& in) { return fused_attention(weighted_l1(), in[0], in[1], in[2], {.parameters = in[3]}); });
  t.add("fused_attention", "slopes", {real({1, 2, 3, 2}), real({1, 2, 4, 2}), real({1, 2, 4, 2})}, [](const In& in) {
    const FusedScore alibi =
        shipped_scores::with_slopes(shipped_scores::dot(1), per_head(tensor({0.5, 0.25}, {2}, in[0].dtype())));
    return fused_attention(alibi, in[0], in[1], in[2], {.offset = 1});
  });
  t.add("fused_attention_and_log_sum", "dot", {real({3, 2}), real({4, 2}), real({4, 3})}, [](const In& in) {
    const auto [output, log_sum] = fused_attention_and_log_sum(shipped_scores::dot(0.7), in[0], in[1], in[2]);
    return cat({output, unsqueeze(log_sum, -1)}, -1);
  });
  t.add("fused_attention_and_log_sum", "bias-causal-shared-heads",
        {real({1, 2, 3, 2}), real({1, 1, 3, 2}), real({1, 1, 3, 2}), real({3, 3})}, [](const In& in) {
          const auto [output, log_sum] = fused_attention_and_log_sum(shipped_scores::dot(1), in[0], in[1], in[2],
                                                                     {.mask = fixed(causal(3), in[3])});
          return cat({output, unsqueeze(log_sum, -1)}, -1);
        });
  // What learns for each head: a width σ of a distance prior, a table of numbers by distance, parameters of the score.
  t.add("fused_attention", "distance-prior-per-head",
        {real({1, 2, 3, 2}), real({1, 2, 4, 2}), real({1, 2, 4, 2}), between({2}, 0.5, 2)}, [](const In& in) {
          const FusedScore prior =
              modified(shipped_scores::dot(1), per_head(in[3]),
                       [](auto s, auto i, auto j, auto, auto sigma) { return s - square((i - j) / sigma) * 0.5; });
          return fused_attention(prior, in[0], in[1], in[2], {.offset = 1});
        });
  t.add("fused_attention", "table-by-distance",
        {real({1, 2, 3, 2}), real({1, 2, 4, 2}), real({1, 2, 4, 2}), real({3, 2})}, [](const In& in) {
          const FusedScore near = shipped_scores::with_numbers(shipped_scores::dot(1), by_distance(in[3]));
          return fused_attention(near, in[0], in[1], in[2], {.mask = fixed(causal(3))});
        });
  t.add("fused_attention", "sum-capped",
        {real({2, 3, 2}), real({2, 4, 2}), real({2, 4, 2}), real({2}), between({}, 1, 2)}, [](const In& in) {
          const FusedScore both =
              shipped_scores::soft_capped(shipped_scores::dot(0.7), per_head(in[4])) + shipped_scores::additive();
          return fused_attention(both, in[0], in[1], in[2], {.parameters = in[3]});
        });
  t.add("fused_attention", "l2-per-head",
        {real({1, 2, 3, 2}), real({1, 2, 4, 2}), real({1, 2, 4, 2}), between({2, 1, 2}, -0.3, -0.1)}, [](const In& in) {
          return fused_attention(shipped_scores::weighted_l2(), in[0], in[1], in[2], {.parameters = in[3]});
        });
  // The points are data and get no gradient: whole numbers, given as numbers of the dtype of w.
  const auto add_regression = [&](const char* what, const Shape& w, bool leave_one_out) {
    t.add("regression_loss", what, {indexes({5}, 9), indexes({5}, 4), anywhere(between(w, 0.3, 1))}, [=](const In& in) {
      const DType dtype = in[2].defined() ? in[2].dtype() : DType::f64;
      return regression_loss(to(in[0].value(), dtype), to(in[1].value(), dtype), in[2], leave_one_out);
    });
  };
  add_regression("leave-one-out", {5}, true);
  add_regression("leaking", {5}, false);
  add_regression("one-width", {}, true);
}

}  // namespace regard::cases
