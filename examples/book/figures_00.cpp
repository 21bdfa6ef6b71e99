#include "examples/book/figures.h"
#include "nn/all.h"

#include <fmt/format.h>

#include <random>

namespace regard::book {
namespace {

// y = x² and its slope at 3, measured over a wide step and a narrow one.
plot::Figure slope() {
  const auto parabola = [](double x) { return x * x; };
  const double at = 3;
  const Tensor x = linspace(2, 6, 121, DType::f64);
  const auto secant = [&](double h) {
    const double measured = (parabola(at + h) - parabola(at)) / h;
    return parabola(at) + measured * (x - at);
  };
  plot::Figure figure({.width = 520, .height = 330});
  figure.axes()
      .line(x, square(x), {.label = "y = x²", .width = 2.4})
      .line(x, secant(2), {.label = "from 3 to 5: slope 8", .dashed = true})
      .line(x, secant(0.5), {.label = "from 3 to 3.5: slope 6.5", .dashed = true})
      .line(x, parabola(at) + 2 * at * (x - at), {.label = "the derivative at 3: slope 6"})
      .scatter({3, 3.5, 5}, {9, 12.25, 25}, {.color = plot::ink, .size = 3})
      .title("the nearer the second point, the nearer the slope to 6")
      .x_label("x")
      .y_label("y")
      .x_range(2, 6)
      .y_range(0, 36);
  return figure;
}

// Part 5 of examples/00_first_hour.cpp by the library: the same numbers to start from, and the same random ones.
struct Learning {
  Tensor before, after;
  std::vector<double> steps, third;  // the weight of token 3 on the token before it
};

Learning learn(int steps) {
  Variable q = parameter(tensor({{0.1, 0.2}, {0.2, -0.1}, {-0.1, 0.1}}, DType::f64));
  Variable k = parameter(tensor({{0.2, 0.1}, {-0.1, 0.2}, {0.1, -0.2}}, DType::f64));
  nn::Attention attention(nn::ScaledDotProduct{});
  std::mt19937 random(1);
  Learning result;
  for (int step = 0; step <= steps; ++step) {
    std::vector<double> numbers(6);
    for (double& x : numbers) x = static_cast<double>(random() % 2001) / 1000 - 1;
    const Variable v = tensor(numbers, {3, 2}, DType::f64);
    const auto [output, weights] = attention(q, k, v, nn::Mask::causal());
    result.steps.push_back(step);
    result.third.push_back(weights.value().at({2, 1}));
    if (step == 0) result.before = weights.value();
    if (step == steps) result.after = weights.value();
    sum(square(slice(output, 0, 1, 3) - slice(v, 0, 0, 2))).backward();
    for (Variable* learned : {&q, &k}) {
      assign(*learned, learned->value() - 0.3 * learned->gradient().value());
      learned->clear_gradient();
    }
  }
  return result;
}

plot::Figure learning() {
  const Learning made = learn(300);
  plot::Figure figure({.columns = 3, .width = 800, .height = 250});
  const Tensor visible = tril(ones({3, 3}));
  const auto matrix = [](std::string title, bool bar) {
    const std::vector<std::string> tokens{"1", "2", "3"};
    return plot::HeatmapOptions{.title = std::move(title),
                                .x = "is looked at",
                                .y = "looks",
                                .x_tokens = tokens,
                                .y_tokens = tokens,
                                .map = plot::Colormap::weights,
                                .values = true,
                                .bar = bar,
                                .missing = "masked"};
  };
  figure.axes(0, 0).heatmap(where(visible, made.before, NAN), matrix("before training", false));
  figure.axes(0, 1).heatmap(where(visible, made.after, NAN), matrix("after 300 steps", true));
  figure.axes(0, 2)
      .line(made.steps, made.third, {.width = 2})
      .scatter({50}, {made.third[50]}, {.color = plot::ink, .size = 3})
      .note(50, made.third[50] - 0.07, fmt::format("step 50: {:.2f}", made.third[50]))
      .title("most is learned in 50 steps")
      .x_label("step")
      .x_range(0, 120)
      .y_label("weight of token 3 on token 2")
      .y_range(0, 1.05);
  return figure;
}

}  // namespace

std::vector<Picture> figures_00() { return {{"slope.svg", slope}, {"first_hour.png", learning}}; }

}  // namespace regard::book
