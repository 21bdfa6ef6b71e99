#include "autograd/all.h"
#include "nn/connected.h"
#include "tests/given.h"
#include "tests/museum/attention.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::cut_graph {

// museum: wrong
Variable attend_wrong(const Variable& q, const Variable& k, const Variable& v) {
  const Tensor keys = transpose(k.value()) / std::sqrt(static_cast<double>(k.size(-1)));
  const Tensor weights = softmax(matmul(q.value(), keys), -1);  // numbers alone: this is fast
  return matmul(Variable(weights), v);
}
// museum: /wrong

// museum: right
Variable attend(const Variable& q, const Variable& k, const Variable& v) {
  const Variable keys = transpose(k) / std::sqrt(static_cast<double>(k.size(-1)));
  const Variable weights = softmax(matmul(q, keys), -1);
  return matmul(weights, v);
}
// museum: /right

// Each position is to give what the first one holds.
Variable loss_of(bool wrong, const Projections& w, Generator& random) {
  const Variable x = normal({64, 4, 8}, random, 0, 1, DType::f64), at = x + Variable(noise({4, 8}, 9));
  const Variable y = (wrong ? attend_wrong : attend)(matmul(at, w.q), matmul(at, w.k), matmul(x, w.v));
  return mean(square(matmul(y, w.o) - slice(x, 1, 0, 1)));
}

std::vector<double> learn(bool wrong) {
  Generator random(1);
  const Projections w(8);
  const std::vector<Variable> trained = wrong ? std::vector{w.v, w.o} : w.all();  // the others have no gradient
  return train(150, 0.01, trained, [&] { return loss_of(wrong, w, random); });
}

const Hung on_the_wall({
    .name = "cut_graph",
    .title = "A fast path cuts the graph",
    .looks = "A quicker way to compute attention works on numbers alone. Values, losses and shapes are right, and the "
             "loss falls, because values and what comes after them still learn. Queries and keys stay as they were.",
    .common = "It comes about when a path that was written for evaluation is used in training, or when numbers pass "
              "through another library and back. As there is no error, it is found late: by someone who looks at the "
              "weights of queries and keys and sees that they are those of the start.",
    .lesson = "Where a value is taken out of its Variable, the recording ends. A parameter that gets no gradient is "
              "simply not moved, and nothing complains. assert_connected asks of each parameter whether the loss "
              "depends on it, and lists the constants that took part: the place where the way was cut is among them: "
              "here (64, 4, 4), the weights.",
    .look =
        [](bool wrong) {
          return by_error("assert_connected", [wrong] {
            Generator random(1);
            Projections w(8);
            nn::assert_connected(loss_of(wrong, w, random), {{"w_q", w.q}, {"w_k", w.k}, {"w_v", w.v}, {"w_o", w.o}});
          });
        },
    .learn = learn,
});

}  // namespace regard::museum::cut_graph
