// c − c % 2 is 2j for both columns of hand j. The rest is the formula.
Tensor clocks(int count, int size) {
  std::vector<double> table;
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < size; ++c) {
      const double angle = i * std::pow(10000.0, -static_cast<double>(c - c % 2) / size);
      table.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return tensor(table, {count, size}, DType::f64);
}
