// An attention of your own, outside the library: a score, a row, and the laws that all attention has to obey.
#include "examples/program.h"
#include "nn/all.h"
#include "nn/kit/subject.h"

using namespace regard;
using namespace regard::nn;

namespace mine {

// A kernel with long tails, a(q, k) = −log(1 + ‖q − k‖²·w²): what is far away still counts a little.
struct CauchyScore {
  Variable w = parameter(ones({}));

  void visit(Visitor& v) { v("w", w); }
  Variable operator()(const Variable& q, const Variable& k) const {
    return -log(1 + squared_distance(q, k) * square(w));
  }
};

}  // namespace mine

int main(int argc, char** argv) {
  Program program("An attention of your own: a score, and the laws it has to obey");
  if (!program.parse(argc, argv)) return program.exit_code();

  Generator generator(1);
  const Variable q = normal({2, 3}, generator), k = normal({4, 3}, generator), v = normal({4, 1}, generator);
  Attention attention(mine::CauchyScore{});
  const auto [output, weights] = attention(q, k, v, Mask::drop(tensor({{0, 0, 0, 1}})));
  fmt::print("weights of 2 queries over 4 keys, the last one masked:\n{}\n\noutput:\n{}\n\n", weights, output);

  const kit::Report report = kit::examine(kit::variant("Cauchy", [](Generator&) { return mine::CauchyScore{}; }));
  fmt::print("{}", report);
  return report.passed() ? 0 : 1;
}
