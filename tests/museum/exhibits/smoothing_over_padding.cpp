#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::smoothing_over_padding {

// The target of a position is 0.9 of its token, and 0.1 of all tokens alike.

// museum: wrong
Variable loss_wrong(const Variable& logits, const Tensor& target, const Tensor& real) {  // (L, V), (L), 0 or 1 (L)
  const Variable logs = log_softmax(logits, -1);
  const Variable of_token = squeeze(gather(logs, 1, unsqueeze(target, 1)), 1) * Variable(real);
  const Variable of_all = mean(logs, -1);
  return sum(of_token * -0.9 + of_all * -0.1) / sum(real).item();
}
// museum: /wrong

// museum: right
Variable loss_of(const Variable& logits, const Tensor& target, const Tensor& real) {
  const Variable logs = log_softmax(logits, -1);
  const Variable of_token = squeeze(gather(logs, 1, unsqueeze(target, 1)), 1) * Variable(real);
  const Variable of_all = mean(logs, -1) * Variable(real);
  return sum(of_token * -0.9 + of_all * -0.1) / sum(real).item();
}
// museum: /right

const Hung on_the_wall({
    .name = "smoothing_over_padding",
    .title = "Label smoothing reaches the padding",
    .looks =
        "Training goes on as usual. But at each padded position the model is asked to find all tokens equally likely. "
        "Much padding, and a part of its strength is spent on that.",
    .common = "The loss has two terms, and the padding is taken out of the first. PyTorch's own `cross_entropy` did it "
              "that way when smoothing was new (issue 73205); tinygrad had to mend it, too (pull request 3570).",
    .lesson = "Ask for the gradient of the loss with respect to the logits of padded positions: it must be 0 in each "
              "term. That test does not ask how the loss is computed.",
    .look =
        [](bool wrong) {
          const Variable logits = parameter(noise({4, 5}));
          const Tensor target = to(tensor({1, 4, 0, 0}), DType::i64), real = f64({1, 1, 0, 0});
          const Variable loss = wrong ? loss_wrong(logits, target, real) : loss_of(logits, target, real);
          const Tensor slope = grad({loss}, {logits})[0].value();
          return by_law("the logits of padding get no gradient", slice(slope, 0, 2), zeros({2, 5}, DType::f64));
        },
});

}  // namespace regard::museum::smoothing_over_padding
