// Rows of latent attention.
#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/variants/by_hand.h"
#include "tests/variants/rows.h"

namespace regard::nn::kit {
namespace {

using P = Variant::Parameters;

const LatentOptions latent_sizes{.model = 4,
                                 .heads = 2,
                                 .latent = 3,
                                 .head_size = 2,
                                 .turned = 2,
                                 .head_value_size = 2,
                                 .rotate = {.layout = RotaryLayout::halves},
                                 .source = 5};

// The kit gives keys and values apart. Here both are parts of what the latent is made of.
struct KeysBesideValues {
  LatentAttention latent;
  void visit(Visitor& v) { latent.visit(v); }
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    const Variable both = cat({k, v}, -1);
    return latent(q, both, both, mask, call);
  }
};

// As the paper defines it: keys and values of each head written out. With R = 2 there is one pair, turned by i radians.
Tensor turned(const Tensor& x) {
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < x.size(-2); ++i) {
    const double c = std::cos(static_cast<double>(i)), s = std::sin(static_cast<double>(i));
    rows.push_back(matmul(slice(x, -2, i, i + 1), tensor({{c, s}, {-s, c}}, DType::f64)));
  }
  return cat(rows, -2);
}

Tensor written_out(const Tensor& q, const Tensor& k, const Tensor& v, const P& p) {
  const auto through = [&](const Tensor& x, const char* name, std::int64_t head) {
    return matmul(x, transpose(slice(p.at(name), 0, 2 * head, 2 * head + 2)));
  };
  const Tensor from = cat({k, v}, -1), raw = matmul(from, transpose(p.at("w_c.weight")));
  const Tensor c = raw / sqrt(mean(square(raw), -1, keepdim) + 1e-6) * p.at("norm.weight");
  std::vector<Tensor> heads;
  for (std::int64_t h = 0; h < 2; ++h)
    heads.push_back(attention_by_hand(
        cat({through(q, "w_q.weight", h), turned(through(q, "w_qr.weight", h))}, -1),
        cat({through(c, "w_uk.weight", h), turned(through(from, "w_kr.weight", 0))}, -1), through(c, "w_uv.weight", h),
        [](Numbers a, Numbers b, std::size_t, std::size_t) { return dot_by_hand(a, b) / std::sqrt(4.0); }));
  return matmul(cat(heads, -1), transpose(p.at("w_o.weight")));
}

Variant row(const char* name, LatentForm form) {
  Variant one{name, [form](double dropout, Generator& generator) {
                LatentOptions o = latent_sizes;
                o.dropout = dropout;
                LatentAttention latent(o, generator);
                latent.form = form;
                return subject(KeysBesideValues{std::move(latent)});
              }};
  one.sizes = {.query_size = 4, .key_size = 3, .value_size = 2};
  one.waived = ordered;
  one.formula = written_out;
  return one;
}

}  // namespace

std::vector<Variant> latent_rows() {
  return {row("latent, expanded", LatentForm::expanded), row("latent, absorbed", LatentForm::absorbed)};
}

}  // namespace regard::nn::kit
