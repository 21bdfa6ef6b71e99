// An operation of your own, outside the library: a value, a rule, and one line that checks it. It is called by its
// namespace, so that the program still compiles when the library gets an operation of that name.
#include "autograd/all.h"
#include "examples/program.h"

using namespace regard;

namespace mine {

// y = x/(1 + |x|), "softsign":  dy/dx = 1/(1 + |x|)²
constexpr OpInfo softsign_info{"softsign", "x/(1 + |x|)", "∂x = g/(1 + |x|)²"};

Variable softsign(const Variable& x) {
  return record(softsign_info, {x}, x.value() / (1 + abs(x.value())), [](const Variable& grad, const Saved& saved) {
    return gradients(grad / square(1 + abs(saved.input())));
  });
}

// The same with a slip: the square is missing.
Variable careless_softsign(const Variable& x) {
  return record(softsign_info, {x}, x.value() / (1 + abs(x.value())),
                [](const Variable& grad, const Saved& saved) { return gradients(grad / (1 + abs(saved.input()))); });
}

}  // namespace mine

int main(int argc, char** argv) {
  Program program("An operation of your own, and its check");
  if (!program.parse(argc, argv)) return program.exit_code();

  const Variable x(tensor({-2, -0.5, 0.25, 3}, DType::f64));
  fmt::print("softsign({}) = {}\n\n", x, mine::softsign(x));
  const GradcheckReport report = gradcheck([](const auto& in) { return mine::softsign(in[0]); }, {x});
  fmt::print("with its rule        {}\n", report);
  const GradcheckReport slip = gradcheck([](const auto& in) { return mine::careless_softsign(in[0]); }, {x});
  fmt::print("with a slip in it    {}\n", slip);
  return report.passed() && slip.verdict == gradchecks::Verdict::fail ? 0 : 1;
}
