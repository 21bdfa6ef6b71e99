// Rows of scores that depend on positions.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

using P = Variant::Parameters;

// The score of one pair at (head, i, j); attention by hand counts rows without regard to heads, so it is told.
using AtPositions = std::function<double(Numbers, Numbers, double i, double j, std::int64_t head, const P&)>;

Variant row(Variant base, std::int64_t heads, const AtPositions& score) {
  base.sizes = {.heads = heads};
  base.waived = ordered;
  base.formula = [score](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    std::vector<Tensor> outputs;
    for (std::int64_t h = 0; h < q.size(1); ++h)
      outputs.push_back(attention_by_hand(select(q, 1, h), select(k, 1, h), select(v, 1, h),
                                          [&](Numbers a, Numbers b, std::size_t i, std::size_t j) {
                                            return score(a, b, static_cast<double>(i), static_cast<double>(j), h, p);
                                          }));
    return stack(outputs, 1);
  };
  return base;
}

// The dot product of pairs of features as complex numbers: Re Σ a·conj(b)·e^(i(m − n)ω), over 2 = √4.
double rotary_by_hand(Numbers a, Numbers b, double m, double n, RotaryLayout layout) {
  double sum = 0;
  for (std::size_t pair = 0; pair < 2; ++pair) {
    const std::size_t re = layout == RotaryLayout::halves ? pair : 2 * pair;
    const std::size_t im = layout == RotaryLayout::halves ? pair + 2 : 2 * pair + 1;
    const double angle = (m - n) * std::pow(10000.0, -static_cast<double>(pair) / 2);
    sum += (a[re] * b[re] + a[im] * b[im]) * std::cos(angle) + (a[re] * b[im] - a[im] * b[re]) * std::sin(angle);
  }
  return sum / 2;
}

// A score as an extender writes it: all that it says is its fused form.
struct DistancePrior {
  Variable sigma = parameter(tensor({2, 5}));
  void visit(Visitor& v) { v("sigma", sigma); }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    const auto prior = [](auto s, auto i, auto j, auto, auto width) { return s - square((i - j) / width) * 0.5; };
    return {modified(shipped_scores::dot(0.5), per_head(sigma), prior), q, k};
  }
};

Variant rotary(const char* name, RotaryLayout layout) {
  return row(variant(name, [layout](Generator&) { return Rotary(ScaledDotProduct{}, layout); }), 2,
             [layout](Numbers a, Numbers b, double i, double j, std::int64_t, const P&) {
               return rotary_by_hand(a, b, i, j, layout);
             });
}

}  // namespace

std::vector<Variant> position_rows() {
  return {
      rotary("RoPE, interleaved", RotaryLayout::interleaved),
      rotary("RoPE, halves", RotaryLayout::halves),
      row(variant("ALiBi", [](Generator&) { return Alibi(ScaledDotProduct{}, 3); }), 3,
          [](Numbers a, Numbers b, double i, double j, std::int64_t head, const P&) {
            const double slopes[] = {1.0 / 16, 1.0 / 256, 1.0 / 4};  // those of 2 heads, then the first of 4
            return dot_by_hand(a, b) / 2 - slopes[head] * std::abs(i - j);
          }),
      row(variant("ALiBi, learned", [](Generator&) { return LearnedAlibi(ScaledDotProduct{}, 2); }), 2,
          [](Numbers a, Numbers b, double i, double j, std::int64_t head, const P& p) {
            return dot_by_hand(a, b) / 2 - p.at("score.slopes").at({head}) * std::abs(i - j);
          }),
      row(variant("distance prior", [](Generator&) { return DistancePrior{}; }), 2,
          [](Numbers a, Numbers b, double i, double j, std::int64_t head, const P& p) {
            const double steps = (i - j) / p.at("score.sigma").at({head});
            return dot_by_hand(a, b) / 2 - steps * steps / 2;
          }),
      row(variant("T5 buckets",
                  [](Generator& g) {
                    return T5RelativeBias(ScaledDotProduct{.scale = 1},
                                          {.heads = 2, .direction = T5Options::Direction::both}, g);
                  }),
          2,
          [](Numbers a, Numbers b, double i, double j, std::int64_t head, const P& p) {
            const auto bucket = static_cast<std::int64_t>(j > i ? 16 + j - i : i - j);  // near ones have one each
            return dot_by_hand(a, b) + p.at("score.table").at({bucket, head});
          }),
  };
}

}  // namespace regard::nn::kit
