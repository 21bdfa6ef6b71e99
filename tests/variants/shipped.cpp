// Rows of the variants in nn/attention/variants.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

using P = Variant::Parameters;
using Formula = decltype(Variant::formula);

// By hand: pairs that are not seen have no part in the softmax.
Formula dot_where(const std::function<bool(std::size_t i, std::size_t j)>& sees) {
  return [sees](const Tensor& q, const Tensor& k, const Tensor& v, const P&) {
    return attention_by_hand(q, k, v, [&](Numbers a, Numbers b, std::size_t i, std::size_t j) {
      return sees(i, j) ? dot_by_hand(a, b) / 2 : -INFINITY;
    });
  };
}

Formula dot_turned(const Turn& turn) {
  return [turn](const Tensor& q, const Tensor& k, const Tensor& v, const P&) {
    return attention_by_hand(
        q, k, v, [](Numbers a, Numbers b, std::size_t, std::size_t) { return dot_by_hand(a, b) / 2; }, turn);
  };
}

Tensor soft_capped_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const P&) {
  return attention_by_hand(q, k, v, [](Numbers a, Numbers b, std::size_t, std::size_t) {
    return 1.5 * std::tanh(dot_by_hand(a, b) / 2 / 1.5);
  });
}

Tensor linear_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const P&) {
  const auto phi = [](double x) { return x > 0 ? x + 1 : std::exp(x); };
  const auto score = [phi](Numbers a, Numbers b, std::size_t, std::size_t) {
    double sum = 0;
    for (std::size_t c = 0; c < a.size(); ++c) sum += phi(a[c]) * phi(b[c]);
    return sum;
  };
  return attention_by_hand(q, k, v, score, shares_by_hand);
}

Tensor retention_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const P&) {
  const auto score = [](Numbers a, Numbers b, std::size_t i, std::size_t j) {
    return dot_by_hand(a, b) * std::pow(0.9, static_cast<double>(i > j ? i - j : j - i));
  };
  return attention_by_hand(q, k, v, score, [](std::vector<double>&) {});  // its weights
}

// Two attentions over half of the features each, and their difference.
Tensor differential_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
  const auto over = [&](std::size_t begin) {
    return attention_by_hand(q, k, v, [begin](Numbers a, Numbers b, std::size_t, std::size_t) {
      return dot_by_hand(a.subspan(begin, 2), b.subspan(begin, 2)) / std::sqrt(2.0);
    });
  };
  return over(0) - over(2) * p.at("score.lambda").item();
}

// Each vector over its root mean square, times γ.
Tensor qk_norm_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
  const auto normed = [](Numbers x, const Tensor& gamma) {
    std::vector<double> y(x.begin(), x.end());
    const double rms = std::sqrt(dot_by_hand(x, x) / static_cast<double>(x.size()) + 1e-6);
    for (std::size_t c = 0; c < y.size(); ++c) y[c] *= gamma.at({static_cast<std::int64_t>(c)}) / rms;
    return y;
  };
  return attention_by_hand(q, k, v, [&](Numbers a, Numbers b, std::size_t, std::size_t) {
    return dot_by_hand(normed(a, p.at("score.norm_q.weight")), normed(b, p.at("score.norm_k.weight"))) / 2;
  });
}

// For each pair of a head that is heard and one that scores: R(h, g)·softmax(Σ_f P(g, f)·score_f)·v_h.
Tensor talking_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
  const Tensor &mix = p.at("score.mix_scores"), &hear = p.at("score.mix_weights");
  std::vector<Tensor> heads;
  for (std::int64_t h = 0; h < 2; ++h) {
    Tensor total;
    for (std::int64_t g = 0; g < 2; ++g) {
      // Σ_f P(g, f)·q_f·k_f is one dot product of the features of both heads, the queries' scaled by P.
      const Tensor query = cat({select(q, 1, 0) * mix.at({g, 0}), select(q, 1, 1) * mix.at({g, 1})}, -1);
      const Tensor key = cat({select(k, 1, 0), select(k, 1, 1)}, -1);
      const Tensor one =
          attention_by_hand(query, key, select(v, 1, h),
                            [](Numbers a, Numbers b, std::size_t, std::size_t) { return dot_by_hand(a, b) / 2; }) *
          hear.at({h, g});
      total = total.defined() ? total + one : one;
    }
    heads.push_back(total);
  }
  return stack(heads, 1);
}

Variant row(Variant base, Formula formula, std::map<Law, std::string> waived = {}) {
  base.formula = std::move(formula);
  base.waived = std::move(waived);
  return base;
}

}  // namespace

std::vector<Variant> shipped_rows() {
  const auto no_sum = [](const char* why) { return std::map<Law, std::string>{{Law::row_sums, why}}; };
  const auto dot = [](Generator&) { return ScaledDotProduct{}; };
  const auto distance = [](std::size_t i, std::size_t j) { return i > j ? i - j : j - i; };
  Variant talking = row(variant("talking heads", [](Generator&) { return TalkingHeads(ScaledDotProduct{}, 2); }),
                        talking_by_hand, no_sum("heads mix their weights after softmax"));
  talking.sizes.heads = 2;
  talking.waived[Law::not_negative] = "heads mix their weights after softmax";
  return {
      row(variant("sliding window", dot, sliding_window(2)),
          dot_where([distance](std::size_t i, std::size_t j) { return distance(i, j) < 2; }), ordered),
      row(variant("local and global", dot, local_global(1, 1)),
          dot_where([](std::size_t i, std::size_t j) { return i == j || i == 0 || j == 0; }), ordered),
      row(variant("soft-capped", [](Generator&) { return SoftCapped(ScaledDotProduct{}, 1.5); }), soft_capped_by_hand),
      talking,
      row(variant("ReLU", [](Generator&) { return ReluAttention(ScaledDotProduct{}); }),
          dot_turned([](std::vector<double>& scores) {
            for (double& s : scores) s = std::max(s, 0.0) / static_cast<double>(scores.size());
          }),
          no_sum("each weight comes from its own score")),
      row(variant("sigmoid", [](Generator&) { return SigmoidAttention(ScaledDotProduct{}); }),
          dot_turned([](std::vector<double>& scores) {
            for (double& s : scores) s = 1 / (1 + static_cast<double>(scores.size()) * std::exp(-s));
          }),
          no_sum("each weight comes from its own score")),
      row(variant("linear", [](Generator&) { return LinearAttention{}; }), linear_by_hand),
      row(variant("QK-norm", [](Generator&) { return QKNorm(ScaledDotProduct{}, {.size = 4}); }), qk_norm_by_hand),
      row(variant("retention", [](Generator&) { return Retention{0.9}; }), retention_by_hand,
          {{Law::not_negative, "its weights are products"},
           {Law::row_sums, "its weights are products"},
           {Law::keys_as_set, "positions count"},
           {Law::queries_apart, "positions count"}}),
      row(variant("differential", [](Generator&) { return DifferentialAttention(ScaledDotProduct{}); }),
          differential_by_hand,
          {{Law::not_negative, "one map is subtracted"}, {Law::row_sums, "the difference of two maps sums to 1 − λ"}}),
  };
}

}  // namespace regard::nn::kit
