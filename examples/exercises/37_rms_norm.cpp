// 37. An RMS norm with its gradient · grade 2 · chapter 09_blocks
//
// Llama and most models after it have thrown half of the layer norm away: no mean is subtracted, and nothing is added.
// What is left sets the length of a row, y = γ·x·r with r = 1/√(mean(x²) + ε). It works as well, and it is less to
// compute. It is also less to derive: write the norm, and then its rule.
//
// Before you write the rule: to make x twice as long changes (nearly) nothing in y. So ∂x must have no part along x:
// the sum of x·∂x is 0 in each row, if ε is. Check your formula with this.
//
// Hint: dr = −r³·mean(x·dx), so with x̂ = x·r: dx̂ = r·(dx − x̂·mean(x̂·dx)). Put it into Σ h·dx̂, where h = γ·∂y, and
// sort. mean(…, -1, keepdim) has a number for each row, which goes along with it.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <cmath>

using namespace regard;

struct RmsGradients {
  Tensor x, gamma;
};

// TODO: return y, given x (N, D) and γ (D).
Tensor my_rms_norm(const Tensor& x, const Tensor& gamma, double epsilon) { return x; }

// TODO: return ∂x (N, D) and ∂γ (D), given ∂y (N, D). Do not call the library's rms_norm.
RmsGradients my_rms_rule(const Tensor& x, const Tensor& gamma, double epsilon, const Tensor& d_y) {
  return {d_y, sum(d_y, 0)};
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto numbers = [](const Nested& rows) { return tensor(rows, DType::f64); };
    const Tensor row = numbers({{0, 6, 6, 12}}), ones_4 = numbers({1, 1, 1, 1});
    exercises::expect(
        "the norm of (0, 6, 6, 12), γ = 1, ε = 0", my_rms_norm(row, ones_4, 0), row / std::sqrt(54),
        {{row, "Nothing has been divided yet: the mean of the squares is 54, so divide by √54."},
         {row / std::sqrt(216), "You have divided by the root of the sum of the squares. It is their mean."},
         {row / 54, "You have divided by the mean of the squares. It is the root of it."},
         {(row - 6) / std::sqrt(18), "This is the layer norm: here no mean is subtracted."},
         {row / std::sqrt(18), "The mean was subtracted before squaring. Here it is not."},
         {row / 6, "You have divided by the mean of the row."}});
    const Tensor threes = numbers({{3, 3, 3, 3}, {0, 0, 0, 0}});
    exercises::expect(
        "the norm of (3, 3, 3, 3), (0, 0, 0, 0), γ = (1, 2, 3, 4), ε = 16",
        my_rms_norm(threes, numbers({1, 2, 3, 4}), 16), numbers({{0.6, 1.2, 1.8, 2.4}, {0, 0, 0, 0}}),
        {{threes / 5, "γ is missing."},
         {threes * numbers({1, 2, 3, 4}) / std::sqrt(20.5),
          "The mean has run over both rows. Each row has its own: mean(…, -1, keepdim)."},
         {threes * numbers({1, 2, 3, 4}) / 7, "ε was added to the root, √9 + √16. It belongs below it: √(9 + 16)."},
         {threes * numbers({1, 2, 3, 4}) / 19, "ε was added to the root. It belongs below it: √(9 + 16) = 5."},
         {numbers({{1, 2, 3, 4}, {NAN, NAN, NAN, NAN}}), "ε is missing, and 0/0 is no number."}});

    const Tensor h = numbers({{4, 0, 8, 0}});
    const auto over_root = [&](const Nested& of_row) { return numbers(of_row) / std::sqrt(54); };
    exercises::expect(
        "∂x for the row (0, 6, 6, 12), γ = 1, ε = 0, ∂y = (4, 0, 8, 0)", my_rms_rule(row, ones_4, 0, h).x,
        over_root({{4, -4 / 3.0, 20 / 3.0, -8 / 3.0}}),
        {{h, "This is ∂y. The norm has divided x, so its rule divides, too, and r depends on x."},
         {h / std::sqrt(54), "This is r·h, as if r did not depend on x. If a feature grows, r becomes smaller."},
         {numbers({{-1, -3, 5, -1}}) / std::sqrt(18),
          "This is the rule of the layer norm: here nothing takes off the mean."},
         {over_root({{1, -13 / 3.0, 11 / 3.0, -17 / 3.0}}),
          "The mean of h is taken off, as in a layer norm. Here nothing takes the mean off x."},
         {(h - row * std::sqrt(8 / 3.0)) / std::sqrt(54), "In the second part x stands where x̂ = x·r should be."},
         {numbers({{4, -4 / 3.0, 20 / 3.0, -8 / 3.0}}), "r is missing before it all."},
         {over_root({{4, -16 / 3.0, 8 / 3.0, -32 / 3.0}}), "A sum is where a mean should be: there is a 1/D."},
         {over_root({{4, 4 / 3.0, 28 / 3.0, 8 / 3.0}}), "The sign of the second part: r becomes smaller."}});
    const Tensor two = numbers({{0, 6, 6, 12}, {1, -1, 1, -1}}), gamma = numbers({1, 2, -1, 3});
    const Tensor d_y = numbers({{4, 0, -8, 0}, {4, 2, 0, 0}});
    const RmsGradients of = my_rms_rule(two, gamma, 0, d_y);
    const Tensor x_hat = cat({row / std::sqrt(54), numbers({{1, -1, 1, -1}})}, 0);
    const Tensor two_h = gamma * d_y, two_r = rsqrt(mean(square(two), -1, keepdim));
    const auto rms_of = [&](const Tensor& taken, const Tensor& along) { return two_r * (two_h - along * taken); };
    // h is (4, 0, 8, 0) and (4, 4, 0, 0); in the second row r is 1, and the mean of h·x̂ is 0.
    exercises::expect(
        "∂x for two rows, γ = (1, 2, −1, 3)", of.x,
        cat({over_root({{4, -4 / 3.0, 20 / 3.0, -8 / 3.0}}), numbers({{4, 4, 0, 0}})}, 0),
        {{rms_of(mean(two_h * x_hat), x_hat),
          "The mean has run over both rows. Each row has its own: mean(…, -1, keepdim)."},
         {rms_of(mean(two_h * x_hat, -1, keepdim), gamma * x_hat),
          "In the second part y = γ·x̂ stands where x̂ should be."},
         {two_r * (d_y - x_hat * mean(d_y * x_hat, -1, keepdim)), "γ is missing: what arrives at x̂ is h = γ·∂y."}});
    exercises::expect("∂γ", of.gamma, sum(d_y * x_hat, 0),
                      {{d_y * x_hat, "γ serves both rows: the gradients of its copies are summed."},
                       {sum(d_y, 0), "γ multiplies x̂: that is its slope."},
                       {sum(d_y * two, 0), "γ multiplies x̂ = x·r, and not x."},
                       {sum(d_y * gamma * x_hat, 0), "γ stands once too often: the slope of γ·x̂ is x̂."}});
    const RmsGradients soft = my_rms_rule(threes, ones_4, 16, numbers({{1, 0, 0, 0}, {1, 0, 0, 0}}));
    exercises::expect(
        "∂x for (3, 3, 3, 3), (0, 0, 0, 0), γ = 1, ε = 16, ∂y = (1, 0, 0, 0) twice", soft.x,
        numbers({{0.182, -0.018, -0.018, -0.018}, {0.25, 0, 0, 0}}),
        {{numbers({{0.25, -1 / 12.0, -1 / 12.0, -1 / 12.0}, {NAN, NAN, NAN, NAN}}), "ε is missing in the rule."}});
  });
}
