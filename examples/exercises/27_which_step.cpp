// 27. Which step? · grade 2 · chapter 06_checking_gradients
//
// Somebody tells you that your gradient is wrong: the measured slope differs in the third digit. The step was 6·10⁻⁶,
// "as always". You measure again with another step, and the slopes agree. The same step is good for one function, too
// large for a second and too small for a third one. Here are four; find the step for each on paper.
//
// The slope is (f(x + h) − f(x − h))/2h, at x = 0. Its error is about h²/6·|f‴| + u·|f|/h. In f64 u is 10⁻¹⁶, in f32 it
// is 6·10⁻⁸. Below the line the errors are measured: yours may be at most ten times as large as the smallest.
//
// Hint: The chapter has a formula for the h at which the error is least. What are f and f‴ at 0? (e^(ax))‴ = a³·e^(ax).
#include "examples/exercises/exercise.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace regard;

// TODO: type a step for each, such as 2e-5:
const double h_plain = 6e-6;  // f(x) = e^x           in f64
const double h_bent = 6e-6;   // f(x) = e^(100x)      in f64
const double h_high = 6e-6;   // f(x) = 10⁶ + e^x     in f64
const double h_f32 = 6e-6;    // f(x) = e^x           in f32

// ---- This is what checks it. ----

// How far measured slopes of f are from the derivative, on average over 50 places near 0: rounding is chance at each.
template <class T, class F, class Derivative>
double error_of_slope(const F& f, const Derivative& derivative, double step) {
  const T h = static_cast<T>(step);
  double total = 0;
  for (int i = 0; i < 50; ++i) {
    const T x = static_cast<T>((i + 0.37) * 1e-5);
    total += std::abs(static_cast<double>((f(x + h) - f(x - h)) / (2 * h)) - static_cast<double>(derivative(x)));
  }
  return total / 50;
}

template <class T, class F, class Derivative>
void check(const std::string& name, double h, const F& f, const Derivative& derivative, const std::string& too_large,
           const std::string& too_small) {
  exercises::expect(h > 0, "The step for " + name + " must be greater than 0.");
  double least = std::numeric_limits<double>::infinity(), best = 0;
  for (double step = 1e-12; step < 0.2; step *= 1.25)
    if (const double error = error_of_slope<T>(f, derivative, step); error < least) least = error, best = step;
  const double error = error_of_slope<T>(f, derivative, h);
  exercises::expect(
      error <= 10 * least,
      fmt::format("{}: with your step the slope is off by {:.0e}, and it could be {:.0e}. The step is too {}", name,
                  error, least, h > best ? "large: " + too_large : "small: " + too_small));
}

int main() {
  return exercises::exercise([] {
    const auto power = [](auto x) { return std::exp(x); };
    check<double>("e^x in f64", h_plain, power, power, "the error that comes from the bend grows with h².",
                  "rounding has taken the digits. (10⁻⁸ would be the step of a one-sided slope.)");
    check<double>(
        "e^(100x)", h_bent, [](double x) { return std::exp(100 * x); },
        [](double x) { return 100 * std::exp(100 * x); },
        "this function bends a hundred times as fast. What is its third derivative?",
        "have you put in the third derivative, 100³, and taken the third root of all?");
    check<double>(
        "10⁶ + e^x", h_high, [](double x) { return 1e6 + std::exp(x); }, power,
        "the error that comes from the bend grows with h².",
        "f is 10⁶ here, and rounding is a part of f: a million times as large as for e^x alone. The bend is the same.");
    check<float>("e^x in f32", h_f32, power, power, "the error that comes from the bend grows with h².",
                 "an f32 has 7 digits. Put u = 6·10⁻⁸ into the formula.");
  });
}
