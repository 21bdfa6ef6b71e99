#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <deque>

namespace regard::museum::overwritten_gradient {

// A backward pass written by hand. A number knows what it was made from, and its slope towards each of them; a tape has
// all numbers in the order in which they were made.
struct Number {
  double value, gradient = 0;
  std::vector<Number*> inputs = {};
  std::vector<double> slopes = {};
};
using Tape = std::deque<Number>;

// museum: wrong
void walk_back_wrong(Tape& tape) {
  tape.back().gradient = 1;
  for (auto number = tape.rbegin(); number != tape.rend(); ++number)
    for (std::size_t i = 0; i < number->inputs.size(); ++i)
      number->inputs[i]->gradient = number->gradient * number->slopes[i];
}
// museum: /wrong

// museum: right
void walk_back(Tape& tape) {
  tape.back().gradient = 1;
  for (auto number = tape.rbegin(); number != tape.rend(); ++number)
    for (std::size_t i = 0; i < number->inputs.size(); ++i)
      number->inputs[i]->gradient += number->gradient * number->slopes[i];
}
// museum: /right

struct Data {
  std::vector<double> x{1, -2, 0.5, 1.5}, y{2.1, -3.6, 0.4, 1.8};  // y is about 2x, but for the last two
};

// Σ (w·x − y)²/4, and its slope.
struct Result {
  double loss, slope;
};
Result by_hand(bool wrong, double w_value) {
  Tape tape{{w_value}};
  Number& w = tape.front();
  const auto add = [&](Number number) { return &tape.emplace_back(std::move(number)); };
  Number* loss = add({0});
  const Data data;
  for (std::size_t i = 0; i < data.x.size(); ++i) {
    Number* const off = add({w.value * data.x[i] - data.y[i], 0, {&w}, {data.x[i]}});
    Number* const squared = add({off->value * off->value / 4, 0, {off}, {off->value / 2}});
    loss = add({loss->value + squared->value, 0, {loss, squared}, {1, 1}});
  }
  (wrong ? walk_back_wrong : walk_back)(tape);
  return {loss->value, w.gradient};
}

Tensor by_backward(double w_value) {
  const Data data;
  Variable w = parameter(f64(w_value));
  const Tensor x = tensor(data.x, {4}, DType::f64), y = tensor(data.y, {4}, DType::f64);
  return grad({mean(square(w * Variable(x) - Variable(y)))}, {w})[0].value();
}

std::vector<double> learn(bool wrong) {
  double w = 0;
  return losses(80, [&] {
    const Result result = by_hand(wrong, w);
    w -= 0.1 * result.slope;
    return result.loss;
  });
}

const Hung on_the_wall({
    .name = "overwritten_gradient",
    .title = "= where += is meant",
    .looks = "A backward pass written by hand sets gradients and does not add to them. As long as each number is used "
             "once, all is well. A weight that is used for four examples learns from one of them.",
    .common = "Nearly everyone who writes a backward pass writes this first. The lectures on karpathy/micrograd show "
              "it as a bug and mend it, and a notebook of the lectures notes that the video had it once more "
              "(nn-zero-to-hero#52). NVIDIA/warp#168 reports gradients of matrix products that were overwritten.",
    .lesson = "If a number is used several times, the loss depends on it in several ways, and the slopes along all "
              "ways add up. The loss falls at first, as the walk goes downhill for the one example that was not "
              "overwritten. Then it rises: that example differs from the others.",
    .look =
        [](bool wrong) {
          return by_law("the gradient is that of backward()", f64(by_hand(wrong, 0.5).slope), by_backward(0.5));
        },
    .learn = learn,
});

}  // namespace regard::museum::overwritten_gradient
