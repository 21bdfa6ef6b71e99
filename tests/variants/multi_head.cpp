// Rows of multi-head attention.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "nn/kit/subject.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

#include <array>

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

// Differential heads of 2·2 features: each is half of an attention less λ times the other half, over its root mean
// square, times γ and 1 − start.
Variant differential_row() {
  const MultiHeadOptions options{.model = 6, .heads = 2, .head_size = 4, .bias = false};
  Variant one{"differential, heads", [=](double dropout, Generator& generator) {
                MultiHeadOptions o = options;
                o.dropout = dropout;
                return subject(DifferentialHeads(ScaledDotProduct{}, o, 0.3, generator));
              }};
  one.sizes.query_size = one.sizes.key_size = one.sizes.value_size = 6;
  one.waived = {{Law::not_negative, "one map is subtracted"},
                {Law::row_sums, "the difference of two maps sums to 1 − λ"}};
  one.formula = [](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    const Tensor u = p.at("score.vectors");
    const auto e_to = [&](std::int64_t i) { return std::exp(sum(select(u, 0, i) * select(u, 0, i + 1)).item()); };
    const double lambda = e_to(0) - e_to(2) + 0.3;
    std::vector<Tensor> outputs;
    for (std::int64_t h = 0; h < 2; ++h) {
      const auto mine = [&](const Tensor& x, const char* name) {
        return matmul(x, transpose(slice(p.at(name), 0, 4 * h, 4 * h + 4)));
      };
      const auto half = [&](std::size_t begin) {
        return attention_by_hand(mine(q, "w_q.weight"), mine(k, "w_k.weight"), mine(v, "w_v.weight"),
                                 [begin](Numbers a, Numbers b, std::size_t, std::size_t) {
                                   return dot_by_hand(a.subspan(begin, 2), b.subspan(begin, 2)) / std::sqrt(2.0);
                                 });
      };
      const Tensor mixed = half(0) - half(2) * lambda;
      outputs.push_back(mixed / sqrt(mean(square(mixed), -1, keepdim) + 1e-5) * p.at("norm.weight") * 0.7);
    }
    return joined(cat(outputs, -1), p);
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

// With two features a head, a pair is a point of the plane, turned by its position. `before` is what is done to a query
// or key first, and is told the name of its norm.
using Pair = std::array<double, 2>;
Pair as_it_is(Numbers x, const P&, const char*) { return {x[0], x[1]}; }

using Before = std::function<Pair(Numbers, const P&, const char* norm)>;
using Sees = std::function<bool(std::size_t i, std::size_t j)>;

auto turned_by_hand(const Before& before, const Sees& sees) {
  return [=](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    std::vector<Tensor> outputs;
    for (std::int64_t h = 0; h < head_count; ++h)
      outputs.push_back(
          attention_by_hand(projected(q, p, "w_q", h), projected(k, p, "w_k", h), projected(v, p, "w_v", h),
                            [&](Numbers query, Numbers key, std::size_t i, std::size_t j) -> double {
                              if (!sees(i, j)) return -INFINITY;
                              const Pair a = before(query, p, "score.norm_q.weight");
                              const Pair b = before(key, p, "score.norm_k.weight");
                              const double angle = static_cast<double>(i) - static_cast<double>(j);
                              const double along = dot_by_hand(a, b), across = a[0] * b[1] - a[1] * b[0];
                              return (along * std::cos(angle) + across * std::sin(angle)) / std::sqrt(2.0);
                            }));
    return joined(cat(outputs, -1), p);
  };
}

template <class S>
Variant turned_row(const std::string& name, const S& score, const Before& before) {
  Variant one = row(name, score, 2, false, turned_by_hand(before, [](std::size_t, std::size_t) { return true; }));
  one.waived = ordered;
  return one;
}

// Heads of which a cache forgets all keys but the first one and the last two.
Variant evicting_row(const Before& before) {
  const MultiHeadOptions options{.model = model, .heads = head_count, .bias = false};
  Variant one{
      "evicting", [=](double dropout, Generator& generator) {
        MultiHeadOptions o = options;
        o.dropout = dropout;
        return subject(EvictingAttention(Rotary(ScaledDotProduct{}, RotaryLayout::halves), o, {1, 2}, generator));
      }};
  one.sizes.value_size = model;
  one.waived = ordered;
  one.waived[Law::left_padding] = "with a cache, sequences begin together";
  one.waived[Law::rows_alike] = "the keys that are left stand elsewhere, and are summed up in another order";
  one.formula = turned_by_hand(
      before, [](std::size_t i, std::size_t j) { return i + 1 == j || i == j || i == j + 1 || i == 0 || j == 0; });
  return one;
}

}  // namespace

std::vector<Variant> multi_head_rows() {
  const auto dot = [] { return ScaledDotProduct{}; };
  const auto gaussian = [] { return GaussianKernel::learned(); };
  const auto rotary = [] { return Rotary(ScaledDotProduct{}, RotaryLayout::halves); };
  const auto normed_rotary = [] {
    return QKNorm(Rotary(ScaledDotProduct{}, RotaryLayout::halves), {.size = head_width});
  };
  return {
      row("multi-head", dot, 2, true, by_hand(2, dot_of_heads)),
      row("multi-head, no bias", dot, 2, false, by_hand(2, dot_of_heads)),
      row("multi-head Gaussian", gaussian, 2, false, by_hand(2, gaussian_of_heads)),
      row("multi-query", dot, 1, false, by_hand(1, dot_of_heads)),
      turned_row("multi-head RoPE", rotary, as_it_is),
      turned_row("multi-head QK-norm, then RoPE", normed_rotary,
                 [](Numbers x, const P& p, const char* norm) {
                   const Tensor& gamma = p.at(norm);
                   const double rms = std::sqrt(dot_by_hand(x, x) / 2 + 1e-6);
                   return Pair{x[0] * gamma.at({0}) / rms, x[1] * gamma.at({1}) / rms};
                 }),
      differential_row(),
      evicting_row(as_it_is),
      gated_row("gated, per head", Gates::per_head),
      gated_row("gated, per feature", Gates::per_feature),
      forgetting_row(),
  };
}

}  // namespace regard::nn::kit
