// Rows of kinds of attention of 2025 and 2026. Three are written here, as an extender would write them.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

using P = Variant::Parameters;

// Scores become sharper as a query has more to look at, s·cₕ·log n, so that weights do not flatten out in long texts
// (scalable softmax). In a text n is the position of the query, counted from 1.
struct ScalableSoftmax {
  Variable factors = parameter(tensor({0.4, 0.7}));
  void visit(Visitor& v) { v("factors", factors); }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    const auto sharper = [](auto s, auto i, auto, auto, auto c) { return s * (c * log(i + 1)); };
    return {modified(shipped_scores::dot(0.5), per_head(factors), sharper), q, k};
  }
};

// αᵢⱼ = max(0, eˢ − 1)/Σ|eˢ − 1| (softpick): a score below 0 gives no weight, but counts in the sum.
struct Softpick {
  static constexpr const char* no_fused_form = "its weights are no softmax";
  Variable operator()(const Variable& q, const Variable& k) const { return ScaledDotProduct{}(q, k); }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Variable above = exp(pairs::kept(scores, keep)) - 1;
    const Variable total = sum(abs(above), -1, keepdim);
    return relu(above) / where(not_equal(total, 0.0), total, 1.0);
  }
};

// αᵢⱼ = σ(sᵢⱼ)·Π(1 − σ(sᵢₗ)) over the keys l behind j (stick-breaking): the last key breaks off its part of a stick,
// and the one before it a part of the rest. What is near comes first, so it needs no positions.
struct StickBreaking {
  static constexpr const char* no_fused_form = "its weights are no softmax";
  Variable operator()(const Variable& q, const Variable& k) const { return ScaledDotProduct{}(q, k); }
  Variable normalize(const Variable& scores, const Tensor& keep) const {
    const Variable left = pairs::kept(-softplus(scores), keep), up_to = flip(cumsum(flip(left, -1), -1), -1);
    return pairs::kept(exp(-softplus(-scores) + (up_to - left)), keep);
  }
};

// Each head by itself: the score of a pair from its dot product, and what makes weights of a row.
using OfPair = std::function<double(double dot, std::size_t i, std::int64_t head, const P&)>;
using OfRow = std::function<void(std::vector<double>& row, std::int64_t head, const P&)>;
Variant row(Variant base, std::map<Law, std::string> waived, const OfPair& score, const OfRow& turn) {
  base.sizes.heads = 2;
  base.waived = std::move(waived);
  base.formula = [score, turn](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    std::vector<Tensor> heads;
    for (std::int64_t h = 0; h < 2; ++h)
      heads.push_back(attention_by_hand(
          select(q, 1, h), select(k, 1, h), select(v, 1, h),
          [&](Numbers a, Numbers b, std::size_t i, std::size_t) { return score(dot_by_hand(a, b) / 2, i, h, p); },
          [&](std::vector<double>& scores) { turn(scores, h, p); }));
    return stack(heads, 1);
  };
  return base;
}

}  // namespace

std::vector<Variant> rows_of_today() {
  const OfPair plain = [](double dot, std::size_t, std::int64_t, const P&) { return dot; };
  const OfRow softmax = [](std::vector<double>& s, std::int64_t, const P&) { softmax_by_hand(s); };
  return {
      row(variant("sinks", [](Generator&) { return Sinks(ScaledDotProduct{}, 2); }),
          {{Law::row_sums, "the sink takes a part"}}, plain,
          [](std::vector<double>& s, std::int64_t head, const P& p) {
            s.push_back(p.at("score.sinks").at({head}));  // one more score
            softmax_by_hand(s);
            s.pop_back();
          }),
      row(
          variant("scalable softmax", [](Generator&) { return ScalableSoftmax{}; }),
          {{Law::queries_apart, "it matters where a query stands"}},
          [](double dot, std::size_t i, std::int64_t head, const P& p) {
            return dot * p.at("score.factors").at({head}) * std::log(static_cast<double>(i + 1));
          },
          softmax),
      row(variant("softpick", [](Generator&) { return Softpick{}; }),
          {{Law::row_sums, "scores below 0 give no weight"}}, plain,
          [](std::vector<double>& s, std::int64_t, const P&) {
            double total = 0;
            for (const double x : s) total += std::abs(std::exp(x) - 1);
            for (double& x : s) x = std::max(0.0, std::exp(x) - 1) / total;
          }),
      row(variant("stick-breaking", [](Generator&) { return StickBreaking{}; }),
          {{Law::row_sums, "a rest of the stick is left"}, {Law::keys_as_set, "near keys come first"}}, plain,
          [](std::vector<double>& s, std::int64_t, const P&) {
            double rest = 1;
            for (std::size_t j = s.size(); j-- > 0;) {
              const double part = rest / (1 + std::exp(-s[j]));
              rest -= part;
              s[j] = part;
            }
          }),
  };
}

}  // namespace regard::nn::kit
