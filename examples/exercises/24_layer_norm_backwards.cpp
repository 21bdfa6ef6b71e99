// 24. Layer norm, backwards · grade 3 · chapter 05_gradients_on_paper
//
// A layer norm stands before each attention of a Transformer, so every gradient of such a model has gone through its
// rule dozens of times. It is easily written wrongly: somebody takes the mean and the deviation for constants. No error
// is raised, all shapes fit, and the loss may still fall.
//
// Cover the chapter from "Step by step" on, and derive the rule: x̂ = (x − μ)·r with r = 1/√(σ² + ε), and y = γ·x̂ + β.
// Each x moves μ and σ², and these move all of x̂. Write it with operations on Variables: then the rule is recorded,
// too, and has a gradient of its own, which is checked at the end.
//
// Hint: da = dx − mean(dx), dr = −r³·mean(a·dx), dx̂ = r·da + a·dr. Put dx̂ into Σ h·dx̂ with h = γ·∂y, and sort by dx.
// Two sums change places. To test yourself: each row of ∂x adds up to 0.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"

#include <cmath>

using namespace regard;

// TODO: return the gradients of x (N, D), γ (D) and β (D), given ∂y (N, D). Mean and variance are those of each row.
graph::Gradients layer_norm_rule(const Variable& x, const Variable& gamma, double epsilon, const Variable& d_y) {
  const Variable away = x - mean(x, -1, keepdim);
  const Variable r = rsqrt(mean(square(away), -1, keepdim) + epsilon);
  return gradients(r * d_y * gamma, d_y, d_y);
}

// ---- This is what checks it. ----

Variable my_layer_norm(const Variable& x, const Variable& gamma, const Variable& beta, double epsilon) {
  static constexpr OpInfo info{"my_layer_norm", "γ·(x − μ)/√(σ² + ε) + β", "the rule above"};
  const Tensor away = x.value() - mean(x.value(), -1, keepdim);
  const Tensor value = away * rsqrt(mean(square(away), -1, keepdim) + epsilon) * gamma.value() + beta.value();
  return record(info, {x, gamma, beta}, value, [epsilon](const Variable& grad, const Saved& saved) {
    return layer_norm_rule(saved.inputs[0], saved.inputs[1], epsilon, grad);
  });
}

int main() {
  return exercises::exercise([] {
    const auto numbers = [](const Nested& rows) { return tensor(rows, DType::f64); };
    const auto rule = [](const Tensor& x, const Tensor& gamma, double epsilon, const Tensor& d_y) {
      const graph::Gradients all = layer_norm_rule(x, gamma, epsilon, d_y);
      exercises::expect(all.size() == 3, "Three gradients are wanted: gradients(that of x, that of γ, that of β).");
      return all;
    };
    const double root = std::sqrt(8);
    const Tensor row = numbers({{0, 6, 6}}), d_row = numbers({{0, 0, 3}}), ones_3 = numbers({1, 1, 1});
    exercises::expect(
        "∂x for the row (0, 6, 6), γ = 1, ε = 0, ∂y = (0, 0, 3)", rule(row, ones_3, 0, d_row)[0].value(),
        numbers({{0, -1.5, 1.5}}) / root,
        {{d_row / root,
          "This is r·h: right if μ and σ were constants. But if x₃ grows, the mean grows, and so does the deviation."},
         {numbers({{-1, -1, 2}}) / root,
          "This takes off the mean of h, for μ moves with x. What is still missing: σ moves as well."},
         {numbers({{1, -0.5, 2.5}}) / root,
          "This knows that σ moves with x, and not that μ does: it is the rule of the RMS norm."},
         {numbers({{0, -1.5, 1.5}}), "It is 1/r times what it should be: where is r?"},
         {numbers({{0, -1.5, 1.5}}) / 8, "There is one r too many."},
         {numbers({{-1 + root, -1 - root / 2, 2 - root / 2}}) / root,
          "In the last part, x̂·mean(h·x̂), one of the two is a = x − μ in place of x̂ = a·r."}});

    const Tensor x = numbers({{0, 6, 6}, {3, 1, 2}}), gamma = numbers({1, 2, -1}),
                 d_y = numbers({{0, 0, 3}, {6, 3, 0}});
    const double of_2 = std::sqrt(1.5);  // 1/√(2/3), r of the second row
    const Tensor x_hat = cat({numbers({{-4, 2, 2}}) / root, numbers({{1, -1, 0}}) * of_2}, 0);
    const Tensor h = gamma * d_y, r = rsqrt(var(x, -1, keepdim));
    const graph::Gradients all = rule(x, gamma, 0, d_y);
    exercises::expect("∂x for two rows, with γ = (1, 2, −1)", all[0].value(),
                      cat({numbers({{0, 1.5, -1.5}}) / root, numbers({{2, 2, -4}}) * of_2}, 0),
                      {{cat({numbers({{0, -1.5, 1.5}}) / root, numbers({{1.5, 1.5, -3}}) * of_2}, 0),
                        "This is right for γ = 1. What arrives at x̂ is h = γ·∂y."},
                       {r * (h - mean(h) - x_hat * mean(h * x_hat)),
                        "The two means have run over both rows. Each row has its own: mean(…, -1, keepdim)."}});
    exercises::expect("∂γ", all[1].value(), sum(d_y * x_hat, 0),
                      {{d_y * x_hat, "γ serves all rows: what is its shape, and what comes of several rows?"},
                       {sum(d_y * x, 0), "γ multiplies x̂, the normed row, and not x."},
                       {sum(d_y * (x - mean(x, -1, keepdim)), 0), "γ multiplies x̂ = (x − μ)·r, and not x − μ."},
                       {sum(d_y * x_hat * gamma, 0), "γ stands once too often: y = γ·x̂ has the slope x̂."},
                       {d_y, "γ multiplies x̂, so its slope is x̂; and it serves all rows."}});
    exercises::expect("∂β", all[2].value(), numbers({6, 3, 3}),
                      {{d_y, "β serves all rows: the gradients of its copies are summed."},
                       {sum(d_y * gamma, 0), "γ does not multiply β."}});

    Generator random(24);
    const std::vector<Variable> inputs{normal({4, 3}, random, 0, 1, DType::f64), normal({3}, random, 0, 1, DType::f64),
                                       normal({3}, random, 0, 1, DType::f64)};
    const auto norm = [](const auto& in) { return my_layer_norm(in[0], in[1], in[2], 0.1); };
    exercises::expect_gradient("the norm, with ε = 0.1", norm, inputs,
                               "Only with ε it is wrong: r is 1/√(σ² + ε), in each place where it occurs.",
                               {.order = 1});
    exercises::expect_gradient("the gradient", norm, inputs,
                               "Your numbers are right, but they are constants: the rule does not know how they depend "
                               "on x, γ and ∂y. Compute with Variables throughout, and not with their .value().");
  });
}
