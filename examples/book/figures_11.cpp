#include "examples/book/figures.h"
#include "examples/plot/palette.h"
#include "nn/all.h"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>

namespace regard::book {
namespace {

struct Points {
  Tensor x, y;
};
// The points of the chapter. Their loss is steep along the first number, flat along the second.
Points measured(int count) {
  Generator random(1);
  const Tensor x = normal({count, 2}, random, 0, 1, DType::f64) * tensor({1, 0.1}, DType::f64);
  return {x, sum(x * tensor({1, 10}, DType::f64), 1) + normal({count}, random, 0, 0.5, DType::f64)};
}

struct Path {
  std::vector<double> first, second;  // of the first forty steps
  int arrival = 0;                    // the first step after which the loss is at most 0.26
};
template <class Optimizer>
Path path(const Variable& w, Optimizer optimizer) {
  Path places;
  const Points points = measured(4096);
  for (int step = 0; step <= 40 || places.arrival == 0; ++step) {
    if (step <= 40) {
      const std::vector<double> at = to_vector(w.value());
      places.first.push_back(at[0]);
      places.second.push_back(at[1]);
    }
    const Variable loss = mean(square(sum(points.x * w, 1) - points.y));
    if (places.arrival == 0 && loss.item() <= 0.26) places.arrival = step;
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  return places;
}

// Where the valley has one height.
Path contour(double of) {
  Path ring;
  for (int i = 0; i <= 200; ++i) {
    const double angle = 2 * std::numbers::pi * i / 200;
    ring.first.push_back(1 + std::sqrt(of) * std::cos(angle));
    ring.second.push_back(10 + 10 * std::sqrt(of) * std::sin(angle));
  }
  return ring;
}

plot::Figure valley() {
  const auto start = [] { return parameter(zeros({2}, DType::f64)); };
  const Variable a = start(), b = start(), c = start();
  const std::array<Path, 3> paths{path(a, optim::SGD({a}, {.learning_rate = 0.9})),
                                  path(b, optim::SGD({b}, {.learning_rate = 0.3, .momentum = 0.9})),
                                  path(c, optim::Adam({c}, {.learning_rate = 0.5}))};
  const std::array<const char*, 3> titles{"SGD, rate 0.9", "momentum 0.9, rate 0.3", "Adam, rate 0.5"};
  plot::Figure figure({.rows = 3, .width = 800, .height = 556});
  for (int i = 0; i < 3; ++i) {
    plot::Axes& axes = figure.axes(i, 0);
    for (const double of : {0.05, 0.2, 0.5, 1.0, 1.7, 2.6}) {
      const Path ring = contour(of);
      axes.line(ring.second, ring.first, {.color = plot::legend_edge, .width = 0.8});
    }
    axes.line(paths[i].second, paths[i].first, {.color = plot::series_color(i), .width = 1.2})
        .scatter(paths[i].second, paths[i].first, {.color = plot::series_color(i), .size = 2})
        .scatter({10}, {1}, {.color = plot::ink, .size = 3})
        .note(10, 0.15, "goal", plot::Align::center)
        .title(fmt::format("{}: there after {}", titles[i], paths[i].arrival))
        .x_label(i == 2 ? "second number" : "")
        .y_label("first number")
        .x_range(-1, 16)
        .y_range(-0.6, 2.6);
  }
  return figure;
}

struct Losses {
  std::vector<double> steps, learned, validated;
};
// The training with too few points.
Losses learn(double decay) {
  Generator random(5);
  const auto sample = [&random](int count) {
    const Tensor x = normal({count, 50}, random);
    return Points{x, 2 * slice(x, 1, 0, 1) + normal({count, 1}, random)};
  };
  const Points to_learn = sample(60), to_validate = sample(1000);
  nn::Sequential model{nn::Dropout(0, random), nn::Linear({.in = 50, .out = 1}, random)};
  optim::SGD optimizer(model, {.learning_rate = 0.05, .weight_decay = decay});
  Losses losses;
  for (int step = 1; step <= 1000; ++step) {
    const Variable loss = nn::mse_loss(model(to_learn.x), to_learn.y);
    losses.steps.push_back(step);
    losses.learned.push_back(loss.item());
    losses.validated.push_back(nn::mse_loss(model(to_validate.x), to_validate.y).item());
    optimizer.zero_grad();
    loss.backward();
    optimizer.step();
  }
  return losses;
}

plot::Figure overfitting() {
  const Losses free = learn(0), pulled = learn(0.3);
  const auto least = std::ranges::min_element(free.validated) - free.validated.begin();
  plot::Figure figure({.width = 560, .height = 330});
  figure.axes()
      .line(free.steps, free.validated, {.label = "new points", .color = plot::series_color(1), .width = 2})
      .line(free.steps, pulled.validated,
            {.label = "new points, with decay", .color = plot::series_color(0), .width = 2})
      .line(free.steps, free.learned, {.label = "points learned", .color = plot::series_color(1), .dashed = true})
      .line(free.steps, pulled.learned,
            {.label = "points learned, with decay", .color = plot::series_color(0), .dashed = true})
      .scatter({free.steps[least]}, {free.validated[least]}, {.color = plot::ink, .size = 3})
      .note(free.steps[least], free.validated[least], fmt::format("step {}", free.steps[least]), plot::Align::center)
      .title("learned by heart, and worse on new points")
      .x_logarithmic()
      .x_label("steps")
      .y_label("mean squared error")
      .y_range(0, 6);
  return figure;
}

}  // namespace

std::vector<Picture> figures_11() { return {{"valley.svg", valley}, {"overfitting.svg", overfitting}}; }

}  // namespace regard::book
