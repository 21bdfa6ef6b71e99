#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <cmath>

namespace regard::museum::scale_by_model_width {

// museum: wrong
Tensor scores_wrong(const Tensor& q, const Tensor& k, std::int64_t heads) {  // of each head, (H, L, D)
  const auto model = static_cast<double>(heads * q.size(-1));
  return matmul(q, transpose(k)) / std::sqrt(model);
}
// museum: /wrong

// museum: right
Tensor scores(const Tensor& q, const Tensor& k, std::int64_t) {  // of each head, (H, L, D)
  const auto head = static_cast<double>(q.size(-1));
  return matmul(q, transpose(k)) / std::sqrt(head);
}
// museum: /right

const Hung on_the_wall({
    .name = "scale_by_model_width",
    .title = "Scores are divided by the root of the model's width",
    .looks = "Scores are too small by the root of the number of heads, and weights are more even than they should be. "
             "Training works, a little worse. Weights that others have trained give slightly wrong answers.",
    .common =
        "Very common: FrancescoSaverioZuppichini/ViT#1, omihub777/ViT-CIFAR (pull request #11), "
        "FareedKhan-dev/train-llm-from-scratch (pull request #3), jadore801120/attention-is-all-you-need-pytorch#42. "
        "juho-lee/set_transformer#18 asks whether it is meant.",
    .lesson = "A score is a sum of D products, D the width of a head. If queries and keys are random numbers of "
              "variance 1, that sum has variance D, and 1/√D makes it 1. With 8 heads, 1/√(8·D) makes it 1/8.",
    .look =
        [](bool wrong) {
          const Tensor q = noise({8, 64, 16}, 1), k = noise({8, 64, 16}, 2);
          const Tensor variance = var((wrong ? scores_wrong : scores)(q, k, 8));
          return by_law("scores of random queries and keys have variance 1", variance, ones({}, DType::f64), 0.1);
        },
});

}  // namespace regard::museum::scale_by_model_width
