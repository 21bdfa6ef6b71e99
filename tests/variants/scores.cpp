// Rows of the scores, each with its formula by hand.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

using P = Variant::Parameters;

Variant with_formula(Variant row, const std::function<double(Numbers, Numbers, const P&)>& score,
                     const Turn& turn = softmax_by_hand) {
  row.formula = [score, turn](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    return attention_by_hand(
        q, k, v, [&](Numbers a, Numbers b, std::size_t, std::size_t) { return score(a, b, p); }, turn);
  };
  return row;
}

Variant waive(Variant row, std::map<Law, std::string> reasons) {
  row.waived = std::move(reasons);
  return row;
}

// Σ_h w_v(h)·tanh(Σ_c W_q(h, c)·a(c) + Σ_c W_k(h, c)·b(c) + bias(h))
double additive_by_hand(Numbers a, Numbers b, const P& p) {
  const Tensor &w_q = p.at("score.w_q.weight"), &w_k = p.at("score.w_k.weight"), &w_v = p.at("score.w_v.weight");
  double sum = 0;
  for (std::int64_t h = 0; h < w_q.size(0); ++h) {
    double inside = p.contains("score.w_k.bias") ? p.at("score.w_k.bias").at({h}) : 0;
    for (std::int64_t c = 0; c < w_q.size(1); ++c) inside += w_q.at({h, c}) * a[static_cast<std::size_t>(c)];
    for (std::int64_t c = 0; c < w_k.size(1); ++c) inside += w_k.at({h, c}) * b[static_cast<std::size_t>(c)];
    sum += w_v.at({0, h}) * std::tanh(inside);
  }
  return sum;
}

double bilinear_by_hand(Numbers a, Numbers b, const P& p) {
  const Tensor& w = p.at("score.weight");
  double sum = 0;
  for (std::int64_t i = 0; i < w.size(0); ++i)
    for (std::int64_t j = 0; j < w.size(1); ++j)
      sum += a[static_cast<std::size_t>(i)] * w.at({i, j}) * b[static_cast<std::size_t>(j)];
  return sum;
}

double cosine_by_hand(Numbers a, Numbers b, const P& p) {
  return dot_by_hand(a, b) / std::sqrt(dot_by_hand(a, a) * dot_by_hand(b, b)) /
         std::exp(p.at("score.log_temperature").item());
}

double l1_by_hand(Numbers a, Numbers b, const P&) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum -= std::abs(a[c] - b[c]);
  return sum;
}

constexpr Sizes unequal{.key_size = 3};

Variant sized(Variant row, const Sizes& sizes) {
  row.sizes = sizes;
  return row;
}

Variant per_key() {
  Variant row = waive(variant("Gaussian, w per key", [](Generator&) { return GaussianKernel::per_key(Sizes{}.keys); }),
                      {{Law::keys_as_set, "each w belongs to the key in its place"},
                       {Law::padding, "the list of keys is fixed: they are the data"},
                       {Law::cached, "the list of keys is fixed: they are the data"},
                       {Law::rows_alike, "the list of keys is fixed: they are the data"},
                       {Law::front, "the list of keys is fixed: they are the data"}});
  row.formula = [](const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
    return attention_by_hand(q, k, v, [&](Numbers a, Numbers b, std::size_t, std::size_t j) {
      const double w = p.at("score.w").at({static_cast<std::int64_t>(j)});
      return -squared_distance_by_hand(a, b) * w * w / 2;
    });
  };
  return row;
}

}  // namespace

std::vector<Variant> score_rows() {
  const auto squared = [](double factor) {
    return [factor](Numbers a, Numbers b, const P&) { return factor * squared_distance_by_hand(a, b); };
  };
  const std::string steps = "its steps have slope 0", constant = "it depends on neither queries nor keys";
  return {
      with_formula(variant("scaled dot product", [](Generator&) { return ScaledDotProduct{}; }),
                   [](Numbers a, Numbers b, const P&) { return dot_by_hand(a, b) / 2; }),
      with_formula(variant("dot product, scale 0.3", [](Generator&) { return ScaledDotProduct{.scale = 0.3}; }),
                   [](Numbers a, Numbers b, const P&) { return 0.3 * dot_by_hand(a, b); }),
      with_formula(sized(variant("additive",
                                 [](Generator& g) {
                                   return AdditiveScore({4, 3, 5}, g);
                                 }),
                         unequal),
                   additive_by_hand),
      with_formula(sized(variant("additive with bias",
                                 [](Generator& g) {
                                   return AdditiveScore({4, 3, 5, true}, g);
                                 }),
                         unequal),
                   additive_by_hand),
      with_formula(sized(variant("bilinear",
                                 [](Generator& g) {
                                   return BilinearScore({4, 3}, g);
                                 }),
                         unequal),
                   bilinear_by_hand),
      with_formula(variant("cosine", [](Generator&) { return CosineScore({.temperature = 0.5}); }), cosine_by_hand),
      with_formula(variant("negative squared L2", [](Generator&) { return NegativeSquaredL2{}; }), squared(-1)),
      with_formula(variant("negative L1", [](Generator&) { return NegativeL1{}; }), l1_by_hand),
      with_formula(variant("Gaussian, fixed", [](Generator&) { return GaussianKernel::fixed(2); }), squared(-0.125)),
      with_formula(variant("Gaussian, one w", [](Generator&) { return GaussianKernel::learned(4); }),
                   [](Numbers a, Numbers b, const P& p) {
                     const double w = p.at("score.w").item();
                     return -squared_distance_by_hand(a, b) * w * w / 2;
                   }),
      per_key(),
      waive(with_formula(
                variant("boxcar", [](Generator&) { return BoxcarKernel(3); }),
                [](Numbers a, Numbers b, const P&) { return squared_distance_by_hand(a, b) <= 9 ? 1.0 : 0.0; },
                shares_by_hand),
            {{Law::gradcheck, steps}, {Law::second_order, steps}}),
      with_formula(
          variant("triangular", [](Generator&) { return TriangularKernel(4); }),
          [](Numbers a, Numbers b, const P&) {
            return std::max(0.0, 1 - std::sqrt(squared_distance_by_hand(a, b)) / 4);
          },
          shares_by_hand),
      with_formula(
          variant("Epanechnikov", [](Generator&) { return EpanechnikovKernel(4); }),
          [](Numbers a, Numbers b, const P&) { return std::max(0.0, 1 - squared_distance_by_hand(a, b) / 16); },
          shares_by_hand),
      waive(with_formula(
                variant("average pooling", [](Generator&) { return AveragePooling{}; }),
                [](Numbers, Numbers, const P&) { return 1.0; }, shares_by_hand),
            {{Law::gradcheck, constant}, {Law::second_order, constant}}),
  };
}

}  // namespace regard::nn::kit
