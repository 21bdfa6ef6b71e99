#pragma once

#include "nn/kit/kit.h"
#include "tensor/tensor.h"

#include <cmath>
#include <span>

namespace regard::nn::kit {

// Attention in loops over plain numbers, for q (…, Lq, Dq), k (…, Lk, Dk), v (…, Lk, Dv): what variants are compared
// with. raw(qᵢ, kⱼ, j) is the score of one pair; turn(row) makes weights of the scores of one query.
using Numbers = std::span<const double>;
using Raw = std::function<double(Numbers query, Numbers key, std::size_t i, std::size_t j)>;
using Turn = std::function<void(std::vector<double>& row)>;

void softmax_by_hand(std::vector<double>& row);
void shares_by_hand(std::vector<double>& row);

Tensor attention_by_hand(const Tensor& q, const Tensor& k, const Tensor& v, const Raw& raw,
                         const Turn& turn = softmax_by_hand);

inline double dot_by_hand(Numbers a, Numbers b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}

inline double squared_distance_by_hand(Numbers a, Numbers b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += (a[c] - b[c]) * (a[c] - b[c]);
  return sum;
}

}  // namespace regard::nn::kit
