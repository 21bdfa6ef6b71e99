// With y = x·r: dy = r·(dx − y·(y·dx)), so ∂x = r·(g − y·Σ g·y). The wrong rule had r before the first part only, which
// nobody sees in a row of length 1. Before the mend look() printed, for this operation only:
//   3  (2, 3)   6 elements   worst 8.0e-02   FAIL
//     order 1, input 0 element [0, 0]: analytic 0.6191205029, numeric 0.6729787888
void look() {
  Generator random(1);
  const Variable x = normal({2, 3}, random, 0, 1, DType::f64);
  for (int n = 1; n <= 4; ++n)
    fmt::print("{}  {}\n", n, gradcheck([n](const auto& in) { return operation(n, in[0]); }, {x}));
}

const int wrong = 3;

Variable rule_1(const Variable& g, const Variable& x, const Variable& y) { return g * (y + sigmoid(x) * (1 - y)); }
Variable rule_2(const Variable& g, const Variable&, const Variable& y) { return g * (1 - square(y / 30)); }
Variable rule_3(const Variable& g, const Variable& x, const Variable& y) {
  const Variable r = rsqrt(sum(square(x), -1, keepdim));
  return r * (g - y * sum(g * y, -1, keepdim));
}
Variable rule_4(const Variable& g, const Variable&, const Variable& y) { return 2 * y * (g - sum(g * y, -1, keepdim)); }
