// A c of both signs and different sizes hides nothing; each number of x is moved to both sides; the error is relative.
bool is_right(const Function& f, const Rule& rule, const Tensor& x) {
  Generator random(29);
  const Tensor c = normal(f(x).shape(), random, 0, 1, DType::f64);
  const double h = 6e-6;
  const std::vector<double> analytic = to_vector(rule(x, c)), at = to_vector(x);
  for (std::size_t i = 0; i < at.size(); ++i) {
    const auto loss = [&](double step) {
      std::vector<double> moved = at;
      moved[i] += step;
      return sum(c * f(tensor(moved, x.shape(), DType::f64))).item();
    };
    const double slope = (loss(h) - loss(-h)) / (2 * h), size = std::max(std::abs(slope), std::abs(analytic[i]));
    if (std::abs(slope - analytic[i]) > 1e-6 * size) return false;
  }
  return true;
}
