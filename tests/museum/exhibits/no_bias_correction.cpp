#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::no_bias_correction {

struct Averages {
  Tensor mean = zeros({4}, DType::f64), squares = zeros({4}, DType::f64);
  double times = 0;
};

// museum: wrong
Tensor direction_wrong(const Tensor& g, Averages& a) {
  a.mean = a.mean * 0.9 + g * 0.1;
  a.squares = a.squares * 0.999 + square(g) * 0.001;
  return a.mean / (sqrt(a.squares) + 1e-8);
}
// museum: /wrong

// museum: right
Tensor direction(const Tensor& g, Averages& a) {
  a.mean = a.mean * 0.9 + g * 0.1;
  a.squares = a.squares * 0.999 + square(g) * 0.001;
  ++a.times;
  const Tensor mean = a.mean / (1 - std::pow(0.9, a.times)), squares = a.squares / (1 - std::pow(0.999, a.times));
  return mean / (sqrt(squares) + 1e-8);
}
// museum: /right

// How far a number moves in each step, if its gradient is always the same.
std::vector<double> learn(bool wrong) {
  Averages averages;
  return losses(300, [&] { return (wrong ? direction_wrong : direction)(ones({4}, DType::f64), averages).at({0}); });
}

const Hung on_the_wall({
    .name = "no_bias_correction",
    .title = "Adam without its correction for the beginning",
    .looks = "The first step is three times too large, those from 6 to 23 more than six times: weights that were "
             "chosen with care are thrown away. After 300 steps they are still twice too large, and after 2400 right "
             "to 5 %.",
    .common =
        "The two divisions are easily left out as a detail. The optimizer that came with BERT had none, and Zhang, "
        "Wu, Katiyar, Weinberger and Artzi, 2020, found it to be a reason why fine-tuning failed so often.",
    .lesson = "Both averages begin at 0, and the one of the squares forgets a hundred times more slowly. So at the "
              "beginning the squares are too small, by more than the mean is. In the first step the two corrections "
              "leave g/√g²: each number moves by the learning rate, whatever the size of its gradient.",
    .look =
        [](bool wrong) {
          Averages averages;
          const Tensor g = f64({0.5, -3, 20, -0.01});
          return by_law("the first step moves each number by the learning rate",
                        (wrong ? direction_wrong : direction)(g, averages), f64({1, -1, 1, -1}), 1e-5);
        },
    .learn = learn,
    .curve = "size of a step, in learning rates",
});

}  // namespace regard::museum::no_bias_correction
