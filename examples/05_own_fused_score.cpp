// A score of your own without the matrix of all pairs: a line of arithmetic, checked, and timed. Then a score in which
// each head learns a number of its own, as a part of a model. Then one that knows more about itself (own_tiles.h), held
// against the line of arithmetic.
#include "autograd/all.h"
#include "examples/own_tiles.h"
#include "examples/program.h"
#include "nn/all.h"

#include <chrono>

using namespace regard;
using namespace regard::nn;

namespace mine {

// Soft Laplace: near zero a parabola, far out two straight lines; w is their slope, one for each feature:
//   a(q, k) = Σ w·(1 − √(1 + (q − k)²))
const FusedScore soft_laplace = score([](auto q, auto k, auto w) { return w * (1 - sqrt(1 + square(q - k))); });

// The same with distance in mind: what is far away in the sequence counts less.
const FusedScore fading = modified(soft_laplace, [](auto s, auto i, auto j, auto) { return s - 0.01 * abs(i - j); });

// Dot products with a prior on distance: a head with a small σ prefers keys that are near. Each head learns its σ.
//   a(q, k) = q·k/√D − ((i − j)/σ)²/2
struct DistancePrior {
  Variable sigma;  // (H)

  void visit(Visitor& v) { v("sigma", sigma); }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t) const {
    const FusedScore dot = shipped_scores::dot(1 / std::sqrt(static_cast<double>(q.size(-1))));
    return {modified(dot, per_head(sigma),
                     [](auto s, auto i, auto j, auto, auto width) { return s - square((i - j) / width) * 0.5; }),
            q, k};
  }
};

}  // namespace mine

namespace {

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

double seconds_of(const std::function<void()>& work) {  // of the second of two runs
  work();
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// Checks the prior to second order, by the one method and the other, and times it beside plain dot products.
bool show_distance_prior() {
  Generator generator(2);
  const auto rows = [&](const Shape& shape, DType dtype) { return parameter(normal(shape, generator, 0, 1, dtype)); };
  bool passed = true;
  for (const Method method : {Method::fused, Method::composed}) {
    const auto attend = [&](const auto& in) {
      return Attention(mine::DistancePrior{in[3]}, {.method = method})(in[0], in[1], in[2]).output;
    };
    const Shape shape{1, 2, 4, 3};
    const GradcheckReport report =
        gradcheck(attend, {rows(shape, DType::f64), rows(shape, DType::f64), rows(shape, DType::f64),
                           parameter(tensor({1.5, 3}, {2}, DType::f64))});
    fmt::print("distance prior, {}: {}\n", method == Method::fused ? "fused" : "composed", report);
    passed = passed && report.passed();
  }
  const Shape shape{1, 8, 1024, 64};
  const Variable q = rows(shape, DType::f32), k = rows(shape, DType::f32), v = rows(shape, DType::f32);
  const Variable sigma = parameter(full({8}, 100));
  Attention plain(ScaledDotProduct{}, {.method = Method::fused});
  Attention prior(mine::DistancePrior{sigma}, {.method = Method::fused});
  const double without = seconds_of([&] { grad({sum(plain(q, k, v).output)}, {q, k, v}); });
  const double with = seconds_of([&] { grad({sum(prior(q, k, v).output)}, {q, k, v, sigma}); });
  fmt::print("forward and backward, 8 heads of 1024 × 64: dot product {:.1f} ms, with the prior {:.1f} ms\n\n",
             1e3 * without, 1e3 * with);
  return passed;
}

std::vector<Variable> gradients_of(const FusedScore& near, const Given& x) {
  return grad({sum(square(fused_attention(near, x.q, x.k, x.v, {.mask = Mask::causal()})))}, {x.q, x.k, x.v});
}

double largest_difference(const std::vector<Variable>& a, const std::vector<Variable>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, max(abs(a[i].value() - b[i].value())).item());
  return largest;
}

}  // namespace

int main(int argc, char** argv) {
  Program program("A score of your own, fused: no matrix of all pairs, gradients by dual numbers");
  if (!program.parse(argc, argv)) return program.exit_code();

  const Given few = draw(4, 2, DType::f64);
  const auto attention = [](const auto& in) {
    return fused_attention(mine::fading, in[0], in[1], in[2], {.parameters = in[3], .mask = Mask::causal()});
  };
  const GradcheckReport report = gradcheck(attention, {few.q, few.k, few.v, few.w});
  fmt::print("{}\n\n", report);
  const bool prior_passed = show_distance_prior();

  fmt::print("forward and backward, 16 features:\n{:>8} {:>12} {:>14}\n", "n", "fused", "composed");
  for (const std::int64_t n : {128, 256, 512, 1024}) {
    const Given x = draw(n, 16, DType::f32);
    const auto run = [&](const auto& compute) {
      return [&] { grad({sum(compute(mine::fading, x.q, x.k, x.v, {.parameters = x.w}))}, {x.q, x.k, x.v, x.w}); };
    };
    fmt::print("{:>8} {:>9.2f} ms {:>11.2f} ms\n", n, 1e3 * seconds_of(run(fused_attention)),
               1e3 * seconds_of(run(composed_attention)));
  }

  const Given exact = draw(700, 20, DType::f64), fast = draw(2048, 64, DType::f32);
  const FusedScore duals = score(mine::Near{});
  double worst = 0;
  fmt::print("\nthe same score in three ways, and how far gradients are from those of dual numbers at most:\n");
  fmt::print("{:>14} {:>22} {:>22}\n", "", "2048 × 64, f32", "700 × 20, f64");
  for (const auto& way : {std::pair{"dual numbers", duals}, std::pair{"by hand", score(mine::NearByHand{})},
                          std::pair{"products", score(mine::NearByProducts{})}}) {
    const FusedScore& near = way.second;
    const double seconds = seconds_of([&] { gradients_of(near, fast); });
    const double off = largest_difference(gradients_of(near, exact), gradients_of(duals, exact));
    fmt::print("{:>14} {:>9.2f} ms {:>9.1e} {:>22.1e}\n", way.first, 1e3 * seconds,
               largest_difference(gradients_of(near, fast), gradients_of(duals, fast)), off);
    worst = std::max(worst, off);
  }
  return report.passed() && prior_passed && worst < 1e-10 ? 0 : 1;
}
