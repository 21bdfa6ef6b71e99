#include "autograd/all.h"
#include "nn/layers/dropout.h"
#include "nn/layers/linear.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::dropout_in_evaluation {

struct Net {
  Generator seeds{1};
  nn::Linear hidden{{.in = 4, .out = 8, .dtype = DType::f64}, seeds};
  nn::Linear output{{.in = 8, .out = 3, .dtype = DType::f64}, seeds};
  nn::Dropout dropout{0.5, std::uint64_t{2}};

  void visit(nn::Visitor& v) {
    v("hidden", hidden);
    v("output", output);
    v("dropout", dropout);
  }
  Variable operator()(const Variable& x) { return output(dropout(relu(hidden(x)))); }
};

// museum: wrong
Tensor evaluate_wrong(Net& net, const Tensor& x) {
  const NoGrad no_grad;
  return net(x).value();
}
// museum: /wrong

// museum: right
Tensor evaluate(Net& net, const Tensor& x) {
  const NoGrad no_grad;
  nn::eval(net);
  const Tensor y = net(x).value();
  nn::train(net);
  return y;
}
// museum: /right

const Hung on_the_wall({
    .name = "dropout_in_evaluation",
    .title = "Dropout goes on in evaluation",
    .looks =
        "Each evaluation of the same model on the same data gives another number. Scores are worse than they should "
        "be, and texts that are written by the most likely token differ from run to run.",
    .common = "Very common. `NoGrad` (in PyTorch `no_grad`) sounds as if it did this, and does not: it only says that "
              "nothing is recorded.",
    .lesson = "Evaluation draws no random numbers, so twice the same input must give the same output, to the last bit. "
              "`nn::eval` switches dropout off, `nn::train` switches it on again. Whoever forgets the second trains "
              "without dropout, which nothing shows.",
    .look =
        [](bool wrong) {
          Net net;
          const auto look_again = wrong ? evaluate_wrong : evaluate;
          const Tensor x = noise({2, 4}, 3), first = look_again(net, x);
          return by_law("two evaluations of the same input agree", look_again(net, x), first);
        },
});

}  // namespace regard::museum::dropout_in_evaluation
