// Of dC = dA·B + A·dB the second part gives dL = Σᵢⱼ gᵢⱼ·Σₖ aᵢₖ·dbₖⱼ. What stands before dbₖⱼ is Σᵢ aᵢₖ·gᵢⱼ, which is
// Aᵀ·g. If there are several texts, their rows below one another are one long A.
Both matmul_rule(const Tensor& a, const Tensor& b, const Tensor& d_c) {
  const Tensor rows = reshape(a, {-1, a.size(-1)}), d_rows = reshape(d_c, {-1, d_c.size(-1)});
  return {matmul(d_c, transpose(b)), matmul(transpose(rows), d_rows)};
}
