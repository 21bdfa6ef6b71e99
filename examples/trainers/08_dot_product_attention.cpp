// Scaled dot product attention: an example whose answer is known, a task to learn, why the scale is there, and what
// long texts cost with and without the table of all pairs.
#include "examples/trainers/length_cost.h"
#include "examples/trainers/recall.h"
#include "examples/trainers/scale_claims.h"
#include "examples/trainers/together.h"

#include <array>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

using namespace regard;
using namespace regard::nn;

namespace {

// A dot product compares like with like, so queries and keys are first brought into one space, which is learned.
struct ProjectedDotProduct {
  Linear w_q, w_k;

  ProjectedDotProduct(std::int64_t query_size, std::int64_t key_size, std::int64_t hidden, Generator& g)
      : w_q({.in = query_size, .out = hidden, .bias = false}, g),
        w_k({.in = key_size, .out = hidden, .bias = false}, g) {}

  void visit(Visitor& v) {
    v("w_q", w_q);
    v("w_k", w_k);
  }
  Variable operator()(const Variable& q, const Variable& k) const { return ScaledDotProduct{}(w_q(q), w_k(k)); }
  FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const {
    return ScaledDotProduct{}.fused(w_q(q), w_k(k), offset);
  }
};

// For queries and keys of d independent components of variance 1: what becomes of scores, weights and gradients.
struct Spread {
  double variance, entropy, largest, gradient;
};

Spread spread(const Tensor& q, const Tensor& k, const Tensor& wanted, bool scaled) {
  const ScaledDotProduct score{.scale = scaled ? std::optional<double>() : 1.0};
  const Variable scores = parameter(score(q, k).value()), weights = softmax(scores, -1);
  const Tensor each = weights.value() * log(maximum(weights.value(), 1e-30));
  sum(weights * Variable(wanted)).backward();
  return {var(scores.value()).item(), -mean(sum(each, -1)).item(), mean(max(weights.value(), -1)).item(),
          mean(sqrt(sum(square(scores.gradient().value()), -1))).item()};
}

// One draw is a matter of luck, so there are several of each size. Both kinds of scores see the same queries and keys.
constexpr int draws = 16;
struct Bands {
  BySize mean, deviation;
};
struct Comparison {
  Bands bare, scaled;
};

Comparison compare(const std::vector<double>& sizes, Generator& generator) {
  const std::int64_t queries = 100, keys = 32;
  Comparison result;
  for (const double size : sizes) {
    const auto d = static_cast<std::int64_t>(size);
    std::vector<Tensor> bare, scaled;  // of each draw its four numbers
    for (int draw = 0; draw < draws; ++draw) {
      const Tensor q = normal({queries, d}, generator), k = normal({keys, d}, generator),
                   wanted = normal({queries, keys}, generator);
      for (const bool with_scale : {false, true}) {
        const Spread s = spread(q, k, wanted, with_scale);
        (with_scale ? scaled : bare).push_back(tensor({s.variance, s.entropy, s.largest, s.gradient}, DType::f64));
      }
    }
    for (const bool with_scale : {false, true}) {
      const Tensor all = stack(with_scale ? scaled : bare, 0), middle = mean(all, 0), off = sqrt(var(all, 0));
      Bands& bands = with_scale ? result.scaled : result.bare;
      int i = 0;
      for (const auto numbers : {&BySize::variance, &BySize::entropy, &BySize::largest, &BySize::gradient}) {
        (bands.mean.*numbers).push_back(middle.at({i}));
        (bands.deviation.*numbers).push_back(off.at({i++}));
      }
    }
  }
  return result;
}

plot::Figure scale_figure(const std::vector<double>& sizes, const Comparison& of) {
  plot::Figure figure({.columns = 3, .width = 1100, .height = 350, .title = title_of_the_scale(of.scaled.mean)});
  std::vector<double> at;  // each size is twice the one before: equal steps
  std::vector<std::string> words;
  for (const double size : sizes) {
    at.push_back(static_cast<double>(at.size()));
    words.push_back(fmt::format("{}", size));
  }
  const std::array shown{&BySize::variance, &BySize::entropy, &BySize::gradient};
  for (const bool scaled : {false, true}) {
    const Bands& bands = scaled ? of.scaled : of.bare;
    const plot::Color color = scaled ? plot::with_scale : plot::without_scale;
    for (int i = 0; i < 3; ++i) {
      const Shape shape{std::ssize(sizes)};
      const Tensor middle = tensor(bands.mean.*shown[i], shape, DType::f64),
                   off = tensor(bands.deviation.*shown[i], shape, DType::f64);
      figure.axes(0, i).band(at, middle - off, middle + off, {.color = color, .alpha = 0.25});
      figure.axes(0, i).line(at, middle, {.label = scaled ? "q·k/√D" : "q·k", .color = color, .width = 2});
    }
  }
  figure.axes(0, 0).title("variance of the scores").y_logarithmic();
  const double alike = std::log(32);
  figure.axes(0, 1).title("entropy of the weights").y_range(0, 3.6);
  figure.axes(0, 1).line({0, at.back()}, {alike, alike},
                         {.label = "all 32 weights equal", .color = plot::color_of_bound, .dashed = true});
  figure.axes(0, 2).title("length of the gradient at the scores").y_logarithmic();
  for (int i = 0; i < 3; ++i) figure.axes(0, i).x_label("D").x_tokens(words);
  return figure;
}

void why_the_scale(Trainer& trainer, Generator& generator) {
  const std::vector<double> sizes{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  const Comparison of = compare(sizes, generator);
  const BySize &bare = of.bare.mean, &scaled = of.scaled.mean;
  trainer.say(
      fmt::format("variance of q·k at D = 1024: {:.1f}, with the scale {:.3f}; gradient {:.4f}, with the scale {:.4f}",
                  bare.variance.back(), scaled.variance.back(), bare.gradient.back(), scaled.gradient.back()));
  trainer.at_most("scaled scores: |variance − 1| at D = 1024", std::abs(scaled.variance.back() - 1), 0.15);
  trainer.at_least("gradient with the scale, in that without, at D = 1024",
                   scaled.gradient.back() / bare.gradient.back(), 3);
  trainer.picture(
      "why_the_scale", [&] { return scale_figure(sizes, of); }, "What the size of queries and keys does to a softmax",
      fmt::format(
          "Lines are means of {} draws; bands reach a standard deviation to both sides. The entropy of weights is "
          "0 if one key has all, and highest if all keys have the same: the dashed line. ",
          draws) +
          about_the_scale(sizes, bare, scaled));
}

// Times go to standard error: they are never the same twice.
void tell(const Trainer& trainer, const length_cost::Costs& costs) {
  const auto rows = [&](const char* what, std::vector<double> length_cost::Curve::*numbers, double unit) {
    std::string text = fmt::format("{:>8}  {}\n{:>8}", "", what, "length");
    for (const char* kind : {"composed", "its step", "fused", "its step"}) text += fmt::format("{:>12}", kind);
    for (std::size_t i = 0; i < costs.fused_step.lengths.size(); ++i) {
      text += fmt::format("\n{:>8}", costs.fused_step.lengths[i]);
      for (const auto* curve : {&costs.composed_forward, &costs.composed_step, &costs.fused_forward, &costs.fused_step})
        text += i < curve->lengths.size() ? fmt::format("{:>12.2f}", unit * (curve->*numbers)[i])
                                          : fmt::format("{:>12}", "");
    }
    return text;
  };
  trainer.say(rows("MB held beside queries, keys and values", &length_cost::Curve::bytes, 1e-6));
}

void what_length_costs(Trainer& trainer) {
  const bool in_short = trainer.quick() || trainer.interrupted();  // whoever stops a training does not want to wait
  const length_cost::Lengths lengths = in_short
                                           ? length_cost::Lengths{{128, 256, 512, 1024}, 1024}
                                           : length_cost::Lengths{{128, 256, 512, 1024, 2048, 4096, 8192, 16384}, 8192};
  const length_cost::Costs costs = length_cost::measure(lengths);
  tell(trainer, costs);
  trainer.at_most("outputs of fused and composed attention: largest difference",
                  length_cost::difference_of_outputs(512), 1e-5);
  trainer.at_least("memory of a composed step: power of n", length_cost::last_power(costs.composed_step.bytes), 1.8);
  trainer.at_most("memory of a fused step: power of n", length_cost::last_power(costs.fused_step.bytes), 1.1);
  trainer.picture(
      "length", [&] { return length_cost::figure(costs); },
      "Attention by length: composed of operations that hold all pairs, or fused into one that does not",
      "One head of 64 features; a step is forward and back to the gradients of queries, keys and values. Times are "
      "medians of processor time on one thread. " +
          length_cost::about_memory(costs) + " " + length_cost::about_times(costs));
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("dot_product_attention", "Scaled dot product attention, why it is scaled, and what it costs",
                  {.epochs = 2000, .quick_epochs = 300, .learning_rate = 1e-2});
  return trainer.main(argc, argv, [&] {
    Generator generator(trainer.seed());
    const recall::WorkedExample example;
    Attention untrained(ScaledDotProduct{}, {.dropout = 0.5});
    eval(untrained);
    recall::show_worked_example(trainer,
                                untrained(normal({2, 1, 2}, generator), example.keys, example.values, example.mask));

    const recall::Sizes sizes;
    Attention attention(ProjectedDotProduct(sizes.query_size, sizes.key_size, 16, generator));
    recall::learn(trainer, attention, sizes, generator);
    why_the_scale(trainer, generator);
    what_length_costs(trainer);
  });
}
