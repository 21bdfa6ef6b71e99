#include "examples/trainers/length_cost.h"

#include "autograd/backward.h"
#include "examples/trainers/timing.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "tensor/memory/buffer.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>

namespace regard::length_cost {
namespace {

// Queries, keys and values of one head, and the gradient that comes to its outputs.
struct Head {
  std::array<Variable, 4> numbers;

  explicit Head(std::int64_t length) {
    Generator generator(1);
    for (Variable& one : numbers) one = parameter(normal({length, features}, generator));
  }

  Variable output(nn::Method method) const {
    nn::Attention attention(nn::ScaledDotProduct{}, {.method = method});
    const auto& [q, k, v, g] = numbers;
    return attention(q, k, v).output;
  }
  void forward(nn::Method method) const {
    const NoGrad no_grad;
    output(method);
  }
  void step(nn::Method method) const {
    const auto& [q, k, v, g] = numbers;
    grad({output(method)}, {q, k, v}, {.gradients = {detach(g)}});
  }
};

// The most that is in use at once while it runs, beyond what is in use before.
template <class Run>
double bytes_held(const Run& run) {
  reset_peak_buffer_bytes();
  const std::size_t before = buffer_statistics().live_bytes;
  run();
  return static_cast<double>(buffer_statistics().peak_bytes - before);
}

struct Kind {
  nn::Method method;
  void (Head::*run)(nn::Method) const;
  Curve& curve;
  std::vector<double> milliseconds = {};  // at one length
};

void measure_all(std::vector<Kind>& kinds, double length) {
  const Head head(static_cast<std::int64_t>(length));
  const int repetitions = length <= 1024 ? 7 : 3;
  for (int i = -1; i < repetitions; ++i)  // the first one makes the memory that is used again
    for (Kind& kind : kinds) {
      const auto run = [&] { (head.*kind.run)(kind.method); };
      if (i >= 0) {
        kind.milliseconds.push_back(processor_milliseconds(run));
        continue;
      }
      kind.curve.lengths.push_back(length);
      kind.curve.bytes.push_back(bytes_held(run));
    }
  for (Kind& kind : kinds) kind.curve.milliseconds.push_back(median(kind.milliseconds));
}

std::vector<double> scaled(const std::vector<double>& numbers, double factor) {
  std::vector<double> result = numbers;
  for (double& x : result) x *= factor;
  return result;
}

// Lengths double, so in equal steps they are on a logarithmic axis.
std::vector<double> places(const Curve& curve) {
  std::vector<double> result;
  for (std::size_t i = 0; i < curve.lengths.size(); ++i) result.push_back(static_cast<double>(i));
  return result;
}

void draw(plot::Axes& axes, const Costs& costs, std::vector<double> Curve::*what, double unit) {
  const auto add = [&](const Curve& curve, const char* label, std::size_t color) {
    const plot::Color shown = plot::series_color(color);
    const std::vector<double> at = places(curve), numbers = scaled(curve.*what, unit);
    const bool ends_before = curve.lengths.size() < costs.fused_step.lengths.size();
    axes.line(at, numbers, {.label = ends_before ? "" : label, .color = shown, .width = 2})
        .scatter(at, numbers, {.color = shown, .size = 3});
    if (ends_before) axes.note(at.back(), numbers.back(), label, plot::Align::center);
  };
  add(costs.composed_step, "composed", 1);
  add(costs.fused_step, "fused", 0);
}

// a·nᵖ at the longer half of the lengths, or at the last three; `last` at the last one.
void guide(plot::Axes& axes, const Curve& along, int power, double last, const char* label) {
  std::vector<double> x = places(along), y;
  x.erase(x.begin(), x.end() - std::max<std::ptrdiff_t>(3, std::ssize(x) / 2));
  for (const double place : x) y.push_back(last * std::exp2(power * (place - x.back())));
  axes.line(x, y, {.label = label, .color = plot::color_of_bound, .width = 1, .dashed = true});
}

}  // namespace

Costs measure(const Lengths& lengths) {
  const OneThread one_thread;
  Costs costs;
  for (const double length : lengths.all) {
    std::vector<Kind> kinds{{nn::Method::fused, &Head::forward, costs.fused_forward},
                            {nn::Method::fused, &Head::step, costs.fused_step}};
    if (length <= lengths.longest_composed) {
      kinds.push_back({nn::Method::composed, &Head::forward, costs.composed_forward});
      kinds.push_back({nn::Method::composed, &Head::step, costs.composed_step});
    }
    measure_all(kinds, length);
  }
  release_cached_buffers();  // nobody else needs tables so large
  return costs;
}

double difference_of_outputs(std::int64_t length) {
  const Head head(length);
  return max(abs(head.output(nn::Method::fused).value() - head.output(nn::Method::composed).value())).item();
}

plot::Figure figure(const Costs& costs) {
  plot::Figure figure({.columns = 2, .width = 1000, .height = 370});
  std::vector<std::string> words;
  for (const double n : costs.fused_step.lengths) words.push_back(fmt::format("{}", n));
  plot::Axes &time = figure.axes(0, 0), &memory = figure.axes(0, 1);
  draw(time, costs, &Curve::milliseconds, 1);
  draw(memory, costs, &Curve::bytes, 1e-6);
  guide(time, costs.fused_step, 2, 3 * costs.fused_step.milliseconds.back(), "grows with n²");
  guide(time, costs.fused_step, 1, 0.3 * costs.fused_step.milliseconds.back(), "grows with n");
  guide(memory, costs.composed_step, 2, 3e-6 * costs.composed_step.bytes.back(), "grows with n²");
  guide(memory, costs.fused_step, 1, 0.5e-6 * costs.fused_step.bytes.back(), "grows with n");
  const std::size_t last = costs.composed_step.lengths.size() - 1;
  const auto ratio = [&](std::vector<double> Curve::*what) {
    return (costs.composed_step.*what)[last] / (costs.fused_step.*what)[last];
  };
  const double n = costs.composed_step.lengths[last];
  const double longer = ratio(&Curve::milliseconds);
  time.title(longer > 1.1 || longer < 1 / 1.1 ? fmt::format("at n = {} composed takes {:.1f} times as long", n, longer)
                                              : fmt::format("at n = {} both take about as long", n));
  memory.title(fmt::format("at n = {} composed holds {:.1f} times as much", n, ratio(&Curve::bytes)));
  time.y_label("milliseconds of a step on one thread");
  memory.y_label("MB held in a step, beside q, k and v");
  for (plot::Axes* axes : {&time, &memory}) axes->x_label("length n").x_tokens(words).y_logarithmic();
  return figure;
}

}  // namespace regard::length_cost
