// "Birds love singing" by hand: three tokens, their attention, a loss and all its gradients. At the start it has the
// numbers of examples/book/three_tokens.md.
#include "examples/lab/functions.h"
#include "nn/all.h"

namespace regard::lab {
namespace {

Variable three_rows(const double* numbers) {
  return parameter(tensor(std::vector<double>(numbers, numbers + 6), {3, 2}, DType::f64));
}

struct Birds {
  Variable q, k, v, scores, weights, output, loss;

  // Each word but the first is wanted to put out the value of the word before it, as it is in the book.
  Birds(const double* numbers, double temperature, bool masked)
      : q(three_rows(numbers)), k(three_rows(numbers + 6)), v(three_rows(numbers + 12)) {
    const Tensor all = ones({3, 3}, DType::f64);
    scores = nn::ScaledDotProduct{}(q, k);
    weights = masked_softmax(scores, 1 / temperature, masked ? tril(all) : all);
    output = matmul(weights, v);
    loss = sum(square(slice(output, 0, 1, 3) - tensor({{0, 12}, {6, 0}}, DType::f64)));
  }
};

}  // namespace
}  // namespace regard::lab

using namespace regard;

// qkv: 18 numbers, queries, keys and values, two for each word. The answer: scores 9, weights 9, outputs 6, the loss,
// and its gradients with respect to q 6, k 6, v 6, scores 9.
LAB int birds(const double* qkv, int, double temperature, int masked) {
  return lab::answer([&](lab::Answer& out) {
    const lab::Birds b(qkv, temperature, masked != 0);
    for (const Variable& one : {b.scores, b.weights, b.output, b.loss}) out.add(one.value());
    for (const Variable& one : grad({b.loss}, {b.q, b.k, b.v, b.scores})) out.add(one.value());
  });
}

// One step down the slope: the 18 numbers after it. The gradient is cut where it is long, so that no arrow leaps.
LAB int birds_step(const double* qkv, int, double temperature, int masked, double rate) {
  return lab::answer([&](lab::Answer& out) {
    const lab::Birds b(qkv, temperature, masked != 0);
    optim::SGD optimizer({b.q, b.k, b.v}, {.learning_rate = rate});
    b.loss.backward();
    optim::clip_norm({b.q, b.k, b.v}, 20);
    optimizer.step();
    for (const Variable& one : {b.q, b.k, b.v}) out.add(one.value());
  });
}
