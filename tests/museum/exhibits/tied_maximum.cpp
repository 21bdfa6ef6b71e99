#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::tied_maximum {

constexpr OpInfo info{"largest", "the largest x of a row", "∂x = g/ties where x = y"};

// museum: wrong
Variable largest_wrong(const Variable& x) {
  return record(info, {x}, max(x.value(), -1, keepdim), [](const Variable& g, const Saved& saved) {
    const Variable is_largest = to(equal(saved.input(), saved.output), DType::f64);
    return gradients(g * is_largest);
  });
}
// museum: /wrong

// museum: right
Variable largest(const Variable& x) {
  return record(info, {x}, max(x.value(), -1, keepdim), [](const Variable& g, const Saved& saved) {
    const Variable is_largest = to(equal(saved.input(), saved.output), DType::f64);
    return gradients(g * is_largest / sum(is_largest, -1, keepdim));
  });
}
// museum: /right

const Hung on_the_wall({
    .name = "tied_maximum",
    .title = "Each of several largest numbers gets the whole gradient",
    .looks = "The largest number of a row stands there three times, as zeros do after relu. The rule gives each of the "
             "three the whole gradient, and what lies below is pushed three times as hard.",
    .common = "Reported as a bug of Theano (#4568), MXNet (apache/mxnet#18563) and PyTorch (pytorch/pytorch#56734). In "
              "microsoft/onnxruntime (pull request #7217) it made a training in f16 diverge.",
    .lesson = "If one of several largest numbers moves alone there is a kink: no slope can be measured, and who gets "
              "how much is a convention. If all move together there is none, and the maximum moves as far as they do. "
              "So the check adds one number to the whole row, and moves that.",
    .look =
        [](bool wrong) {
          const Variable x = f64({{2, 0, 2, 1, 2}});
          return by_gradcheck([&](const auto& in) { return square((wrong ? largest_wrong : largest)(x + in[0])); },
                              {Variable(f64(0.5))}, {.order = 1});
        },
});

}  // namespace regard::museum::tied_maximum
