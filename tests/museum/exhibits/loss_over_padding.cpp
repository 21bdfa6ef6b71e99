#include "autograd/all.h"
#include "nn/losses.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::loss_over_padding {

Variable losses_of(const Variable& logits, const Tensor& target) {
  return nn::cross_entropy_loss(logits, target, {.reduction = nn::Reduction::none});
}

// museum: wrong
Variable loss_wrong(const Variable& logits, const Tensor& target, const Tensor& real) {  // (L, V), (L), 0 or 1 (L)
  return mean(losses_of(logits, target) * Variable(real));
}
// museum: /wrong

// museum: right
Variable loss_of(const Variable& logits, const Tensor& target, const Tensor& real) {
  return sum(losses_of(logits, target) * Variable(real)) / sum(real).item();
}
// museum: /right

const Hung on_the_wall({
    .name = "loss_over_padding",
    .title = "The loss is divided by all positions, padding included",
    .looks = "The mask is there, and padding has no gradient. But the mean divides by the padded positions as well. "
             "The more a batch is padded the smaller are its loss and its gradient; one very long text among short "
             "ones makes the whole batch count for little: with seven texts of 10 tokens and one of 1000, the sum is "
             "divided by 8000 and not by 1070. The curve looks better than it is.",
    .common = "Common, since the mask is multiplied, and then a mean is taken as always. It was said of the smoothed "
              "loss of Hugging Face transformers (pull request 5919) and of utils.pytorch (issue 4).",
    .lesson =
        "What is padded on the right must change nothing. Compute the loss of a text, pad it, and compute it again. "
        "Right is the sum over real positions, divided by their number.",
    .look =
        [](bool wrong) {
          const Tensor logits = noise({6, 5}), target = to(tensor({1, 4, 0, 2, 0, 0}), DType::i64);
          const Tensor real = f64({1, 1, 1, 1, 0, 0});
          const auto loss = [&](std::int64_t length) {
            return (wrong ? loss_wrong : loss_of)(slice(logits, 0, 0, length), slice(target, 0, 0, length),
                                                  slice(real, 0, 0, length))
                .value();
          };
          return by_law("padding on the right changes nothing", loss(6), loss(4));
        },
});

}  // namespace regard::museum::loss_over_padding
