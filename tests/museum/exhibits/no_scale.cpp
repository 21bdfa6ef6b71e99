#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::no_scale {

// museum: wrong
Variable weights_wrong(const Variable& q, const Variable& k) { return softmax(matmul(q, transpose(k)), -1); }
// museum: /wrong

// museum: right
Variable weights(const Variable& q, const Variable& k) {
  const auto width = static_cast<double>(q.size(-1));
  return softmax(matmul(q, transpose(k)) / std::sqrt(width), -1);
}
// museum: /right

// −Σ w·log w: log n if all n weights are the same, and 0 if one of them is 1.
Tensor entropy(bool wrong, std::int64_t width) {
  const Variable q = noise({64, width}, 1), k = noise({16, width}, 2);
  const Tensor w = (wrong ? weights_wrong : weights)(q, k).value();
  return -mean(sum(w * log(w + 1e-300), -1));
}

// Queries learn to find what stands beside keys that are given.
std::vector<double> learn(bool wrong) {
  const Variable k = noise({16, 256}, 2), v = noise({16, 4}, 3), goal = flip(v, 0);
  Variable q = parameter(noise({16, 256}, 1));
  return train(60, 0.02, {q}, [&] { return mean(square(matmul((wrong ? weights_wrong : weights)(q, k), v) - goal)); });
}

const Hung on_the_wall({
    .name = "no_scale",
    .title = "Scores are not scaled",
    .looks = "With narrow heads there is little difference. With wide ones the scores are large, one weight of each "
             "query is 1 from the start, and the gradients of all scores are nearly 0.",
    .common = "Forgotten in one of several paths: mlc-ai/mlc-llm (pull request #3426) had it in a fallback only, and "
              "all models that took it gave worse embeddings; delzac/cntkx#10 reports it for a whole function.",
    .lesson = "The deviation of a dot product is the root of its width: 16 for 256 features. softmax of such scores is "
              "all but a choice of the largest, and a choice has no slope. Divided by the root, scores have the same "
              "size at all widths; so their entropy, which says how even weights are, must not depend on the width.",
    .look =
        [](bool wrong) {
          return by_law("weights are as even for 256 features as for 4", entropy(wrong, 256), entropy(wrong, 4), 0.3);
        },
    .learn = learn,
});

}  // namespace regard::museum::no_scale
