#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::cosine_for_dot {

// museum: wrong
Variable weights_wrong(const Variable& q, const Variable& k) {
  const auto unit = [](const Variable& x) { return x * rsqrt(sum(square(x), -1, keepdim) + 1e-12); };
  return softmax(matmul(unit(q), transpose(unit(k))) / std::sqrt(static_cast<double>(q.size(-1))), -1);
}
// museum: /wrong

// museum: right
Variable weights(const Variable& q, const Variable& k) {
  return softmax(matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1))), -1);
}
// museum: /right

// Queries learn to find what stands beside keys that are given.
std::vector<double> learn(bool wrong) {
  const Variable k = noise({16, 16}, 2), v = noise({16, 4}, 3), goal = flip(v, 0);
  Variable q = parameter(noise({16, 16}, 1));
  return train(80, 0.1, {q}, [&] { return mean(square(matmul((wrong ? weights_wrong : weights)(q, k), v) - goal)); });
}

const Hung on_the_wall({
    .name = "cosine_for_dot",
    .title = "Queries and keys get length 1, and the scale stays",
    .looks = "Scores are cosines, divided by the root of the width as before. All weights are nearly the same, and "
             "stay so: attention is a mean of all values. The loss stops early.",
    .common =
        "It comes from reading that a dot product is a cosine, or from adding a norm to queries and keys and keeping "
        "the rest. lucidrains/x-transformers#190 is such a mix: two paths of one function scaled cosines differently.",
    .lesson = "A cosine is at most 1. Divided by √16 the best key has a score of ¼ and the worst −¼, so their weights "
              "differ by a factor of √e. There are two ways out. Keep the lengths, which say how sure a query is "
              "(below): then a query that is 100 times as long must choose one key. Or keep length 1, and multiply "
              "cosines by a number, about 10 or learned, in place of dividing by √D. Then the law does not hold, and "
              "is not meant to.",
    .look =
        [](bool wrong) {
          const Variable q(100 * noise({4, 16}, 1)), k(noise({8, 16}, 2));
          return by_law("the largest weight of a very long query is 1",
                        max((wrong ? weights_wrong : weights)(q, k), -1).value(), ones({4}, DType::f64), 1e-2);
        },
    .learn = learn,
});

}  // namespace regard::museum::cosine_for_dot
