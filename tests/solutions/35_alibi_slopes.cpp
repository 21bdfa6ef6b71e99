// The factor f has f^H = 2⁻⁸, so it is 2^(−8/H), and head h (from 0) has it h + 1 times.
Tensor slopes_of(int heads) {
  std::vector<double> slopes;
  for (int h = 0; h < heads; ++h) slopes.push_back(std::pow(2, -8.0 * (h + 1) / heads));
  return tensor(slopes, {heads}, DType::f64);
}

// Query i of Lq stands at position Lk − Lq + i.
Tensor alibi(int heads, int queries, int keys) {
  const Tensor key = arange(0.0, keys, 1, DType::f64), query = arange(keys - queries, keys, 1.0, DType::f64);
  const Tensor distance = abs(unsqueeze(query, -1) - key);
  return -(reshape(slopes_of(heads), {heads, 1, 1}) * distance);
}
