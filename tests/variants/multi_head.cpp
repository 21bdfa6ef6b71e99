// Rows of multi-head attention.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "nn/kit/by_hand.h"
#include "nn/kit/subject.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

using P = Variant::Parameters;

constexpr std::int64_t model = 4, head_count = 2, head_width = model / head_count;

// x·Wᵀ + b with rows `head` of W and b only: splitting the matrices instead of what they project.
Tensor projected(const Tensor& x, const P& p, const std::string& name, std::int64_t head) {
  const auto rows = [head](const Tensor& all) { return slice(all, 0, head * head_width, (head + 1) * head_width); };
  const Tensor product = matmul(x, transpose(rows(p.at(name + ".weight"))));
  return p.contains(name + ".bias") ? product + rows(p.at(name + ".bias")) : product;
}

Tensor joined(const Tensor& heads, const P& p) {
  const Tensor mixed = matmul(heads, transpose(p.at("w_o.weight")));
  return p.contains("w_o.bias") ? mixed + p.at("w_o.bias") : mixed;
}

// `score` of one pair of projected vectors in each head; `groups` heads of keys and values.
auto heads_by_hand(std::int64_t groups, const std::function<double(Numbers, Numbers, const P&)>& score) {
  return [=](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    std::vector<Tensor> outputs;
    for (std::int64_t h = 0; h < head_count; ++h) {
      const std::int64_t group = h / (head_count / groups);
      outputs.push_back(
          attention_by_hand(projected(q, p, "w_q", h), projected(k, p, "w_k", group), projected(v, p, "w_v", group),
                            [&](Numbers a, Numbers b, std::size_t, std::size_t) { return score(a, b, p); }));
    }
    return cat(outputs, -1);
  };
}
auto by_hand(std::int64_t groups, const std::function<double(Numbers, Numbers, const P&)>& score) {
  return [heads = heads_by_hand(groups, score)](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    return joined(heads(q, k, v, p), p);
  };
}

double dot_of_heads(Numbers a, Numbers b, const P&) { return dot_by_hand(a, b) / std::sqrt(2.0); }

double gaussian_of_heads(Numbers a, Numbers b, const P& p) {
  const double w = p.at("score.w").item();
  return -squared_distance_by_hand(a, b) * w * w / 2;
}

// What the heads bring, times 1/(1 + e^−g) of the query's token: a number for each head, or for each feature of one.
Variant gated_row(const std::string& name, Gates gates) {
  const MultiHeadOptions options{
      .model = model, .heads = head_count, .query_size = 5, .key_size = 3, .value_size = 2, .bias = false};
  Variant one{name, [=](double dropout, Generator& generator) {
                MultiHeadOptions o = options;
                o.dropout = dropout;
                return subject(GatedAttention(ScaledDotProduct{}, o, gates, generator));
              }};
  one.sizes.query_size = 5, one.sizes.key_size = 3, one.sizes.value_size = 2;
  one.formula = [=](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    const Tensor asked = matmul(q, transpose(p.at("w_g.weight"))) + p.at("w_g.bias");
    const Tensor gate = divide(1.0, exp(-asked) + 1.0);
    const Tensor each = gates == Gates::per_feature ? gate : repeat_interleave(Variable(gate), head_width, -1).value();
    return joined(heads_by_hand(head_count, dot_of_heads)(q, k, v, p) * each, p);
  };
  return one;
}

// sᵢⱼ + Cᵢ − Cⱼ is sᵢⱼ, and the logarithms of the gates of all tokens from behind key j up to the query's own.
Variant forgetting_row() {
  const MultiHeadOptions options{.model = model, .heads = head_count, .value_size = 3, .bias = false};
  Variant one{"forgetting", [=](double dropout, Generator& generator) {
                MultiHeadOptions o = options;
                o.dropout = dropout;
                return subject(ForgettingAttention(ScaledDotProduct{}, o, generator));
              }};
  one.waived = {{Law::keys_as_set, "keys stand behind each other"},
                {Law::front, "a query stands beside a key"},
                {Law::memory, "between keys of another text stand no gates"}};
  one.formula = [](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    std::vector<Tensor> sequences;
    for (std::int64_t b = 0; b < q.size(0); ++b) {
      const Tensor qs = select(q, 0, b), ks = select(k, 0, b), vs = select(v, 0, b);
      const Tensor asked = matmul(ks, transpose(p.at("w_f.weight"))) + p.at("w_f.bias");  // (Lk, H)
      std::vector<Tensor> heads;
      for (std::int64_t h = 0; h < head_count; ++h) {
        const auto faded = [&](Numbers a, Numbers c, std::size_t i, std::size_t j) {
          double score = dot_by_hand(a, c) / std::sqrt(2.0);
          const auto log_gate = [&](std::size_t l) {
            return -std::log1p(std::exp(-asked.at({static_cast<std::int64_t>(l), h})));
          };
          for (std::size_t l = j + 1; l <= i; ++l) score += log_gate(l);
          for (std::size_t l = i + 1; l <= j; ++l) score -= log_gate(l);  // of later keys the other way round
          return score;
        };
        heads.push_back(attention_by_hand(projected(qs, p, "w_q", h), projected(ks, p, "w_k", h),
                                          projected(vs, p, "w_v", h), faded));
      }
      sequences.push_back(joined(cat(heads, -1), p));
    }
    return stack(sequences, 0);
  };
  return one;
}

template <class S>
Variant row(const std::string& name, const S& score, std::int64_t groups, bool bias,
            decltype(Variant::formula) formula) {
  Variant one = multi_head_variant(name, [score](Generator&) { return score(); },
                                   {.model = model,
                                    .heads = head_count,
                                    .key_value_heads = groups,
                                    .query_size = 5,
                                    .key_size = 3,
                                    .value_size = 2,
                                    .bias = bias});
  one.formula = std::move(formula);
  return one;
}

}  // namespace

std::vector<Variant> multi_head_rows() {
  const auto dot = [] { return ScaledDotProduct{}; };
  const auto gaussian = [] { return GaussianKernel::learned(); };
  const auto rotary = [] { return Rotary(ScaledDotProduct{}, RotaryLayout::halves); };
  Variant turned = row("multi-head RoPE", rotary, 2, false, {});
  turned.waived = ordered;
  turned.formula = [](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    std::vector<Tensor> outputs;  // with two features a head, a pair is a point of the plane, turned by its position
    for (std::int64_t h = 0; h < head_count; ++h)
      outputs.push_back(
          attention_by_hand(projected(q, p, "w_q", h), projected(k, p, "w_k", h), projected(v, p, "w_v", h),
                            [](Numbers a, Numbers b, std::size_t i, std::size_t j) {
                              const double angle = static_cast<double>(i) - static_cast<double>(j);
                              const double along = dot_by_hand(a, b), across = a[0] * b[1] - a[1] * b[0];
                              return (along * std::cos(angle) + across * std::sin(angle)) / std::sqrt(2.0);
                            }));
    return matmul(cat(outputs, -1), transpose(p.at("w_o.weight")));
  };
  return {
      row("multi-head", dot, 2, true, by_hand(2, dot_of_heads)),
      row("multi-head, no bias", dot, 2, false, by_hand(2, dot_of_heads)),
      row("multi-head Gaussian", gaussian, 2, false, by_hand(2, gaussian_of_heads)),
      row("multi-query", dot, 1, false, by_hand(1, dot_of_heads)),
      turned,
      gated_row("gated, per head", Gates::per_head),
      gated_row("gated, per feature", Gates::per_feature),
      forgetting_row(),
  };
}

}  // namespace regard::nn::kit
