#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

#include <algorithm>

namespace regard::museum::saved_overwritten {

constexpr OpInfo info{"softmax_in_place", "eˣ / Σ eˣ", "∂x = y·(g − Σ g·y)"};

// museum: wrong
struct SoftmaxWrong {
  Tensor place = zeros({3, 4}, DType::f64);  // reused in each call, to save memory

  Variable operator()(const Variable& x) {
    const Tensor weights = softmax(x.value(), -1);
    std::copy_n(weights.data<double>(), weights.numel(), place.writable<double>());
    return record(info, {x}, weights, [place = place](const Variable& g, const Saved&) {
      const Variable y = place;  // what the latest call left there
      return gradients(y * (g - sum(g * y, -1, keepdim)));
    });
  }
};
// museum: /wrong

// museum: right
struct Softmax {
  Variable operator()(const Variable& x) {
    return record(info, {x}, softmax(x.value(), -1), [](const Variable& g, const Saved& saved) {
      const Variable& y = saved.output;
      return gradients(y * (g - sum(g * y, -1, keepdim)));
    });
  }
};
// museum: /right

template <class S>
Variable two_layers(const std::vector<Variable>& in) {
  S softmax_of;
  const Variable first = softmax_of(in[0]), second = softmax_of(in[1]);
  return first * second;
}

const Hung on_the_wall({
    .name = "saved_overwritten",
    .title = "What the rule needs is overwritten before it runs",
    .looks = "An operation writes its result to a place that it uses again in the next call. The values are right. The "
             "gradients are those of the latest call. A test with one call passes, and a model with two layers learns "
             "badly.",
    .common = "Common wherever memory is saved by working in place. PyTorch notices most cases, and its message about "
              "a variable that was modified by an inplace operation is the title of a great many reports, such as "
              "pytorch/pytorch#38480. In idiap/fast-transformers (pull request #10) running sums of linear attention "
              "were updated in place; in AggMan96/RK-Net (#9) it was the border of an attention map.",
    .lesson = "A rule runs long after its operation, when everything else has been computed. What it needs must still "
              "be there. Here a rule looks at its inputs and its output, which nobody overwrites. The check must use "
              "the operation twice before the backward pass: with one call it sees nothing.",
    .look =
        [](bool wrong) {
          return by_gradcheck(wrong ? two_layers<SoftmaxWrong> : two_layers<Softmax>,
                              {noise({3, 4}, 1), noise({3, 4}, 2)}, {.order = 1});
        },
});

}  // namespace regard::museum::saved_overwritten
