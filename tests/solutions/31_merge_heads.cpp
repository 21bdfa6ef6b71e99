// The axis of heads goes back beside the features, and both become one.
Tensor side_by_side(const Tensor& y) {
  return reshape(transpose(y, 1, 2), {y.size(0), y.size(2), y.size(1) * y.size(3)});
}

// o = Σₕ yₕ·(columns of head h)ᵀ. What is missing without a head is its own term.
int least_needed(const Tensor& y, const Tensor& w_o) {
  const std::int64_t size = y.size(3);
  int found = 0;
  double least = std::numeric_limits<double>::infinity();
  for (int h = 0; h < y.size(1); ++h) {
    const Tensor columns = slice(w_o, 1, h * size, (h + 1) * size);
    const double change = sum(square(matmul(select(y, 1, h), transpose(columns)))).item();
    if (change < least) least = change, found = h;
  }
  return found;
}
