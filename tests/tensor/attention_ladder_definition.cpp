// The first rung of the attention ladder against what others say: numbers worked out by hand, and slopes.
#include "tensor/attention/1_definition.h"

#include "tests/catch.h"
#include "tests/tensor/attention_ladder.h"

namespace regard::attention_ladder {
namespace {

const Rung<double> first = ladder<double>()[0];

// Σ g·output
double loss_of(const Problem<double>& p) {
  std::vector<double> output(p.g.size());
  first.forward(p.operands(), output.data());
  double sum = 0;
  for (std::size_t n = 0; n < output.size(); ++n) sum += p.g[n] * output[n];
  return sum;
}

// The slope of the loss for each number of one of the operands, from the loss a little before and after it.
std::vector<double> slopes(Problem<double> p, std::vector<double> Problem<double>::*operand) {
  std::vector<double> result;
  for (double& x : p.*operand) {
    const double middle = x, step = 1e-5;
    x = middle + step;
    const double above = loss_of(p);
    x = middle - step;
    result.push_back((above - loss_of(p)) / (2 * step));
    x = middle;
  }
  return result;
}

}  // namespace

TEST_CASE("attention ladder: the definition of a known example") {
  const std::vector<double> x{.7, .8, 1.9, 2.2, 3.1, 3.6};
  const Operands<double> in{3, 3, 2, 2, x.data(), x.data(), x.data(), 1 / std::sqrt(2.0)};
  std::vector<double> weights(9), output(6);
  definition(in, weights.data(), output.data());
  CHECK(weights[0] == Approx(.047649).margin(1e-6));
  CHECK(weights[1] == Approx(.190526).margin(1e-6));
  CHECK(weights[2] == Approx(.761825).margin(1e-6));
  CHECK(output[0] == Approx(2.757012).margin(1e-6));
  CHECK(output[1] == Approx(3.199847).margin(1e-6));
}

TEST_CASE("attention ladder: the example of the chapter") {
  Problem<double> p({3, 3, 2, 2});
  p.q = {1, 0, 0, 2, 2, 2}, p.k = {0, 1, 1, 2, 2, 0}, p.v = {10, 0, 0, 10, 5, 5}, p.g = {0, 0, 0, 0, 1, 0};
  std::vector<double> weights(9), output(6);
  definition(p.operands(), weights.data(), output.data());
  const double largest_error = 0.0005;
  const auto check_all = [&](const std::vector<double>& made, const std::vector<double>& printed) {
    REQUIRE(made.size() == printed.size());
    for (std::size_t n = 0; n < made.size(); ++n) CHECK(made[n] == Approx(printed[n]).margin(largest_error));
  };
  check_all(weights, {.140, .284, .576, .187, .768, .045, .045, .768, .187});
  check_all(output, {4.280, 5.720, 2.094, 7.906, 1.387, 8.613});
  check_all(results_of(first, p).q, {0, 0, 0, 0, .200, -1.230});
  p.hide([](std::int64_t i, std::int64_t j) { return j <= i; });
  check_all(results_of(first, p).output, {10, 0, 1.956, 8.044, 1.387, 8.613});
}

// q = 1 and k = (0, ln 3) have the scores 0 and ln 3, the powers 1 and 3, the weights 1/4 and 3/4; v = (1, 5) have the
// mean 4. With g = 1: ∂w = v, so ∂s = (1/4·(1 − 4), 3/4·(5 − 4)) = (−3/4, 3/4), ∂q = Σ ∂s·k and ∂k = ∂s·q.
TEST_CASE("attention ladder: the definition and its gradient by hand") {
  Problem<double> p({1, 2, 1, 1});
  p.q = {1}, p.k = {0, std::log(3.0)}, p.v = {1, 5}, p.g = {1}, p.scale = 1;
  const Results<double> made = results_of(first, p);
  CHECK(difference(made.output, {4}) < 1e-15);
  CHECK(difference(made.v, {0.25, 0.75}) < 1e-15);
  CHECK(difference(made.k, {-0.75, 0.75}) < 1e-15);
  CHECK(difference(made.q, {0.75 * std::log(3.0)}) < 1e-15);

  // A scale of 2 with a query of 1/2 has the same scores; ∂q grows by 2, ∂k stays.
  p.q = {0.5}, p.scale = 2;
  const Results<double> scaled = results_of(first, p);
  CHECK(difference(scaled.output, {4}) < 1e-15);
  CHECK(difference(scaled.k, {-0.75, 0.75}) < 1e-15);
  CHECK(difference(scaled.q, {1.5 * std::log(3.0)}) < 1e-15);
}

TEST_CASE("attention ladder: the gradient of the definition against slopes") {
  for (const Sizes& sizes : {Sizes{3, 4, 2, 3}, Sizes{5, 3, 4, 1}, Sizes{1, 6, 1, 2}})
    for (const bool masked : {false, true}) {
      Problem<double> p(sizes);
      for (double& x : p.q) x *= 2;
      if (masked) p.hide([](std::int64_t i, std::int64_t j) { return i != 1 && (i + 2 * j) % 3 != 0; });
      const Results<double> made = results_of(first, p);
      CAPTURE(sizes.queries, sizes.keys, masked);
      CHECK(difference(made.q, slopes(p, &Problem<double>::q)) < 1e-9);
      CHECK(difference(made.k, slopes(p, &Problem<double>::k)) < 1e-9);
      CHECK(difference(made.v, slopes(p, &Problem<double>::v)) < 1e-9);
    }
}

TEST_CASE("attention ladder: what the definition does with hidden pairs") {
  // Query 0 sees nothing, though its numbers are NaN; key 2 is hidden from all, and holds NaN and ∞; key 1 is NaN and
  // seen by query 3 alone.
  Problem<double> p({4, 4, 2, 2});
  p.hide([](std::int64_t i, std::int64_t j) { return i != 0 && j != 2 && (j != 1 || i == 3); });
  p.q[0] = p.q[1] = p.g[0] = p.g[1] = p.k[2] = p.k[4] = p.v[4] = NAN;
  p.k[5] = p.v[5] = INFINITY;
  const Results<double> made = results_of(first, p);
  const auto count_nan = [](const std::vector<double>& x, std::size_t begin, std::size_t end) {
    return std::count_if(x.begin() + static_cast<std::ptrdiff_t>(begin), x.begin() + static_cast<std::ptrdiff_t>(end),
                         [](double one) { return std::isnan(one); });
  };
  CHECK(made.output[0] == 0);
  CHECK(made.output[1] == 0);
  CHECK(made.q[0] == 0);
  CHECK(made.q[1] == 0);
  CHECK(count_nan(made.output, 2, 6) == 0);  // queries 1 and 2
  CHECK(count_nan(made.output, 6, 8) == 2);  // query 3 sees the NaN
  CHECK(count_nan(made.q, 2, 6) == 0);
  CHECK(made.k[4] == 0);
  CHECK(made.k[5] == 0);
  CHECK(made.v[4] == 0);
  CHECK(made.v[5] == 0);

  // Nothing but the key that is hidden from all, and query 0 and 3 without g: all is finite.
  p.hide([](std::int64_t i, std::int64_t j) { return i != 0 && j != 2 && j != 1; });
  const Results<double> finite = results_of(first, p);
  CHECK(count_nan(finite.output, 0, 8) + count_nan(finite.q, 0, 8) + count_nan(finite.k, 0, 8) +
            count_nan(finite.v, 0, 8) ==
        0);
}

}  // namespace regard::attention_ladder
