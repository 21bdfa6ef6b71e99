// An input of one row never fails, and one of two rows does. So the rule mixes rows, and there is one place in it where
// that can happen: a mean without an axis. With one row it is the mean of that row. Before the mend look() printed:
//   1 of 5 operations is wrong
//   operation 1, scale: (3, 4) → (3, 4), y = x/√(mean x²), for each row, rule rule_4 …
//   gradcheck(f, {parameter(tensor({{1}, {1}}, DType::f64))}, {.order = 1}) …
void look() {
  Generator random(1);
  const Variable x = normal({3, 4}, random, 0, 1, DType::f64);
  fmt::print("{}\n", bisect(model, {x}));
  fmt::print("{}\n", to_string(shrink([](const auto& in) { return operation(4, {in[0]}); }, {x}, {.order = 1})));
}

const int wrong = 4;
const int rows = 2;

graph::Gradients rule_1(const Variable& g, const std::vector<Variable>& in, const Variable&) {
  const double r = 1 / std::sqrt(in[0].size(-1));
  return gradients(matmul(g, in[1]) * r, matmul(transpose(g), in[0]) * r);
}
graph::Gradients rule_2(const Variable& g, const std::vector<Variable>&, const Variable& y) {
  return gradients(y * g - y * sum(y * g, -1, keepdim));
}
graph::Gradients rule_3(const Variable& g, const std::vector<Variable>& in, const Variable&) {
  return gradients(matmul(g, transpose(in[1])), matmul(transpose(in[0]), g));
}
graph::Gradients rule_4(const Variable& g, const std::vector<Variable>& in, const Variable& y) {
  const Variable r = rsqrt(mean(square(in[0]), -1, keepdim));
  return gradients(r * (g - y * mean(g * y, -1, keepdim)));
}
graph::Gradients rule_5(const Variable& g, const std::vector<Variable>& in, const Variable& y) {
  return gradients(g * (y + sigmoid(in[0]) * (1 - y)));
}
