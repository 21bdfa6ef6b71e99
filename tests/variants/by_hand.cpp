#include "tests/variants/by_hand.h"

#include "tensor/create.h"

namespace regard::nn::kit {

void softmax_by_hand(std::vector<double>& row) {
  for (double& x : row) x = std::exp(x);
  shares_by_hand(row);
}

void shares_by_hand(std::vector<double>& row) {
  double total = 0;
  for (const double x : row) total += x;
  if (total == 0) total = 1;
  for (double& x : row) x /= total;
}

Tensor attention_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const Raw& raw, const Turn& turn) {
  const auto queries = static_cast<std::size_t>(q.size(-2)), keys = static_cast<std::size_t>(k.size(-2));
  const auto dq = static_cast<std::size_t>(q.size(-1)), dk = static_cast<std::size_t>(k.size(-1)),
             dv = static_cast<std::size_t>(v.size(-1));
  const std::vector<double> qs = to_vector(q), ks = to_vector(k), vs = to_vector(v);
  std::vector<double> output(qs.size() / dq * dv);
  for (std::size_t row = 0; row < qs.size() / dq; ++row) {
    const std::size_t first_key = row / queries * keys;
    std::vector<double> weights(keys);
    for (std::size_t j = 0; j < keys; ++j)
      weights[j] = raw({&qs[row * dq], dq}, {&ks[(first_key + j) * dk], dk}, row % queries, j);
    turn(weights);
    for (std::size_t j = 0; j < keys; ++j)
      for (std::size_t c = 0; c < dv; ++c) output[row * dv + c] += weights[j] * vs[(first_key + j) * dv + c];
  }
  Shape shape = q.shape();
  shape[shape.rank() - 1] = v.size(-1);
  return tensor(output, shape, DType::f64);
}

}  // namespace regard::nn::kit
