// A score of your own without the matrix of all pairs: a line of arithmetic, checked, and timed.
#include "autograd/all.h"
#include "examples/program.h"
#include "nn/all.h"

#include <chrono>

using namespace regard;
using namespace regard::nn;

namespace {

// Soft Laplace: near zero a parabola, far out a cone, with a slope for each feature.  a(q, k) = Σ w·(1 − √(1 + (q − k)²))
const FusedScore soft_laplace = score([](auto q, auto k, auto w) { return w * (1 - sqrt(1 + square(q - k))); });

// The same with distance in mind: what is far away in the sequence counts less.
const FusedScore fading = modified(soft_laplace, [](auto s, auto i, auto j, auto) { return s - 0.01 * abs(i - j); });

struct Given {
  Variable q, k, v, w;
};

Given draw(std::int64_t length, std::int64_t size, DType dtype) {
  Generator generator(1);
  const auto rows = [&](std::int64_t features) {
    return parameter(normal({length, features}, generator, 0, 1, dtype));
  };
  return {rows(size), rows(size), rows(size), parameter(uniform({size}, generator, 0.5, 1, dtype))};
}

double seconds_of(const std::function<void()>& work) {
  work();
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
  Program program("A score of your own, fused: no matrix of all pairs, gradients by dual numbers");
  if (!program.parse(argc, argv)) return program.exit_code();

  const Given few = draw(4, 2, DType::f64);
  const auto attention = [](const auto& in) {
    return fused_attention(fading, in[0], in[1], in[2], {.parameters = in[3], .mask = Mask::causal()});
  };
  const GradcheckReport report = gradcheck(attention, {few.q, few.k, few.v, few.w});
  fmt::print("{}\n\n", report);

  fmt::print("forward and backward, 16 features:\n{:>8} {:>12} {:>14}\n", "n", "fused", "composed");
  for (const std::int64_t n : {128, 256, 512, 1024}) {
    const Given x = draw(n, 16, DType::f32);
    const auto run = [&](const auto& kernel) {
      return [&] { grad({sum(kernel(fading, x.q, x.k, x.v, {.parameters = x.w}))}, {x.q, x.k, x.v, x.w}); };
    };
    fmt::print("{:>8} {:>9.2f} ms {:>11.2f} ms\n", n, 1e3 * seconds_of(run(fused_attention)),
               1e3 * seconds_of(run(composed_attention)));
  }
  return report.passed() ? 0 : 1;
}
