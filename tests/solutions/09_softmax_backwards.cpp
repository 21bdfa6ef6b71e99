// ∂sⱼ = αⱼ·(∂αⱼ − Σᵢ αᵢ·∂αᵢ): a score gains only by what its weight is worth more than the average weight.
Tensor softmax_rule(const Tensor& alpha, const Tensor& d_alpha) {
  return alpha * (d_alpha - sum(alpha * d_alpha, -1, keepdim));
}
