// A point is predicted from the points at other places, so that neither itself nor a copy of it tells the answer.
double best_width(const Tensor& x, const Tensor& y, const std::vector<double>& widths) {
  const Tensor column = unsqueeze(x, 1), row = unsqueeze(x, 0);
  double best = 0, least = INFINITY;
  for (const double width : widths) {
    const Tensor weights = masked_softmax(square((column - row) / width) * -0.5, 1, not_equal(column, row));
    const double loss = mean(square(matmul(weights, y) - y)).item();
    if (loss < least) best = width, least = loss;
  }
  return best;
}
