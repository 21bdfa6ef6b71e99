// Scaled dot product attention: an example whose answer is known, a task to learn, and why the scale is there.
#include "examples/trainers/recall.h"

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
  ScoreFormula formula(const Variable& q, const Variable& k) const {
    return ScaledDotProduct{}.formula(w_q(q), w_k(k));
  }
};

// For queries and keys of d independent components of variance 1: what becomes of scores, weights and gradients.
struct Spread {
  double variance, entropy, gradient;
};

Spread spread(std::int64_t d, bool scaled, Generator& generator) {
  const std::int64_t queries = 400, keys = 32;
  const Variable q(normal({queries, d}, generator)), k(normal({keys, d}, generator));
  const ScaledDotProduct score{.scale = scaled ? std::optional<double>() : 1.0};
  const Variable scores = parameter(score(q, k).value()), weights = softmax(scores, -1);
  const Tensor each = weights.value() * log(maximum(weights.value(), 1e-30));
  sum(weights * Variable(normal({queries, keys}, generator))).backward();
  return {var(scores.value()).item(), -mean(sum(each, -1)).item(),
          mean(sqrt(sum(square(scores.gradient().value()), -1))).item()};
}

void why_the_scale(Trainer& trainer, Generator& generator) {
  const std::vector<double> sizes{1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024};
  plot::Figure figure({.columns = 3, .width = 1100, .height = 350, .title = "Why scores are divided by √d"});
  const Tensor d = tensor(sizes, {static_cast<std::int64_t>(sizes.size())}, DType::f64);
  double scaled_variance = 0, bare_variance = 0, scaled_gradient = 0, bare_gradient = 0;
  for (const bool scaled : {false, true}) {
    std::vector<double> variance, entropy, gradient;
    for (const double size : sizes) {
      const Spread s = spread(static_cast<std::int64_t>(size), scaled, generator);
      variance.push_back(s.variance);
      entropy.push_back(s.entropy);
      gradient.push_back(s.gradient);
    }
    const plot::Style style{
        .label = scaled ? "q·k/√d" : "q·k", .color = plot::series_color(scaled ? 0 : 3), .width = 2};
    figure.axes(0, 0).line(d, variance, style);
    figure.axes(0, 1).line(d, entropy, style);
    figure.axes(0, 2).line(d, gradient, style);
    (scaled ? scaled_variance : bare_variance) = variance.back();
    (scaled ? scaled_gradient : bare_gradient) = gradient.back();
  }
  figure.axes(0, 0).title("variance of the scores").x_label("d").x_logarithmic().y_logarithmic();
  figure.axes(0, 1).title("entropy of the weights").x_label("d").x_logarithmic().y_range(0, 3.6);
  figure.axes(0, 1).line({1, 1024}, {std::log(32), std::log(32)},
                         {.label = "all 32 keys alike", .color = plot::hex(0x7f7f7f), .dashed = true});
  figure.axes(0, 2).title("length of the gradient at the scores").x_label("d").x_logarithmic().y_logarithmic();
  trainer.say(
      fmt::format("variance of q·k at d = 1024: {:.1f}, with the scale {:.3f}; gradient {:.4f}, with the scale {:.4f}",
                  bare_variance, scaled_variance, bare_gradient, scaled_gradient));
  trainer.at_most("scaled scores: |variance − 1| at d = 1024", std::abs(scaled_variance - 1), 0.15);
  trainer.at_least("gradient with the scale, in that without, at d = 1024", scaled_gradient / bare_gradient, 3);
  trainer.picture(
      "why_the_scale", [&] { return figure; }, "What the size of queries and keys does to a softmax",
      "Without the scale the variance of the scores is d. For large d one key takes all the weight (entropy 0), "
      "and where softmax is flat little gradient comes back. With 1/√d nothing depends on d.");
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("dot_product_attention", "Scaled dot product attention, and why it is scaled",
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
  });
}
