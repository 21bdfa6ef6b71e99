// Each pair of neighbours is multiplied by the matrix of its turn.
Tensor turned(const Tensor& x, const std::vector<double>& positions) {
  std::vector<double> numbers = to_vector(x);
  const std::int64_t size = x.size(1);
  for (std::size_t i = 0; i < numbers.size(); i += 2) {
    const auto row = static_cast<std::int64_t>(i) / size, feature = static_cast<std::int64_t>(i) % size;
    const double speed = std::pow(10000.0, -static_cast<double>(feature) / static_cast<double>(size));
    const double angle = positions[static_cast<std::size_t>(row)] * speed, a = numbers[i], b = numbers[i + 1];
    numbers[i] = a * std::cos(angle) - b * std::sin(angle);
    numbers[i + 1] = a * std::sin(angle) + b * std::cos(angle);
  }
  return tensor(numbers, x.shape(), DType::f64);
}
