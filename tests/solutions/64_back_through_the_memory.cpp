// S after the step is S + k·uᵀ: so ∂u is Gᵀ·k, and k gets G·u. u is β·e: so β gets e·∂u, and e gets β·∂u. e is
// v − Sᵀ·k: so v gets all of that, and k and S lose their parts of it. (These are rows, so products are the other way
// round.)
DeltaGradients way_back(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& beta, const Tensor& d_o) {
  const std::vector<Tensor> before = memories(k, v, beta);
  Tensor g = zeros({k.size(1), v.size(1)}, k.dtype());  // ∂S
  std::vector<Tensor> d_k, d_v, d_beta;                 // from the last step on
  for (std::int64_t t = k.size(0) - 1; t >= 0; --t) {
    g = g + matmul(transpose(row(q, t)), row(d_o, t));
    const Tensor& memory = before[static_cast<std::size_t>(t)];
    const Tensor e = row(v, t) - matmul(row(k, t), memory), d_u = matmul(row(k, t), g), d_e = beta.at({t}) * d_u;
    d_v.push_back(d_e);
    d_beta.push_back(sum(e * d_u, -1));
    d_k.push_back(matmul(beta.at({t}) * e, transpose(g)) - matmul(d_e, transpose(memory)));
    g = g - matmul(transpose(row(k, t)), d_e);
  }
  return {flip(cat(d_k, 0), 0), flip(cat(d_v, 0), 0), flip(cat(d_beta, 0), 0)};
}
