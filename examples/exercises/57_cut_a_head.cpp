// 57. Which head may be cut? · grade 2 · chapter 22_tools_that_explain
//
// A trained model has heads that do little. Which one can be cut with the least harm? The loss decides. `loss(mask)` is
// the loss of a model whose heads are multiplied by a mask, one number for each head: 1 is the head as it is, 0 is the
// head cut off.
//
// First measure: for each head, by how much does the loss rise if this head alone is cut? That takes a pass for each
// head, and in a large model there are hundreds. So, second, estimate it. One walk back gives the derivative by all
// numbers of the mask. If the slope stayed as it is from 1 down to 0, what would the loss do?
//
// Hint: A mask of ones with a 0 at h is  1 − one_hot(h). For the estimate let the mask be a parameter, and mind which
// way you go: from 1 to 0 is a step of −1.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/attention/multi_head.h"
#include "nn/attention/scores/scaled_dot_product.h"

#include <fmt/format.h>

#include <functional>

using namespace regard;

using Loss = std::function<Variable(const Variable& mask)>;  // the mask is (heads), f64

// TODO: return, for each head, by how much the loss rises if it alone is cut: (heads).
Tensor measured(const Loss& loss, std::int64_t heads) {
  return Tensor(zeros({heads}, DType::f64)) * loss(ones({heads}, DType::f64)).item();
}

// TODO: return an estimate of the same, from one walk back: (heads).
Tensor estimated(const Loss& loss, std::int64_t heads) {
  const Variable mask = parameter(ones({heads}, DType::f64));
  return grad({loss(mask)}, {mask})[0].value();
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto numbers = [](const Nested& all) { return tensor(all, DType::f64); };
    // Three heads put out 2, 1 and −1. Their sum is 2, and 3 is wanted.
    const Loss paper = [&](const Variable& mask) { return square(sum(mask * numbers({2, 1, -1})) - 3); };
    exercises::expect("measured(loss, 3), where heads put out 2, 1 and −1, and the sum should be 3", measured(paper, 3),
                      numbers({8, 3, -1}),
                      {{numbers({0, 0, 0}), "Nothing was cut."},
                       {numbers({9, 4, 0}), "These are the losses without a head. By how much have they risen?"},
                       {numbers({-8, -3, 1}), "The loss with all heads less that without one: the other way round."},
                       {numbers({0, 3, 15}), "Here all heads but one were cut. Cut one."},
                       {numbers({1, 4, 16}), "Here all heads but one were cut. Cut one."}});
    exercises::expect(
        "estimated(loss, 3)", estimated(paper, 3), numbers({4, 2, -2}),
        {{numbers({-4, -2, 2}), "That is the derivative: what the loss does if the mask grows. It does not grow."},
         {numbers({8, 3, -1}), "That is measured, and exact. The estimate takes one walk back."},
         {numbers({12, 6, -6}), "At which mask is the derivative to be taken? All heads are there."}});

    Generator random(57);
    nn::MultiHeadAttention attention(nn::ScaledDotProduct{}, {.model = 8, .heads = 4, .dtype = DType::f64}, random);
    const Tensor x = normal({2, 5, 8}, random, 0, 1, DType::f64), wanted = normal({2, 5, 8}, random, 0, 1, DType::f64);
    const Loss loss = [&](const Variable& mask) {
      return mean(square(attention(x, x, x, nn::Mask::causal(), {.head_mask = mask}).output - wanted));
    };
    const double all = loss(ones({4}, DType::f64)).item();
    std::vector<double> rises;
    for (int head = 0; head < 4; ++head) {
      const Tensor without = to(not_equal(arange(4), head), DType::f64);
      rises.push_back(loss(without).item() - all);
    }
    const Tensor rise = tensor(rises, {4}, DType::f64);
    exercises::expect("measured(loss, 4), for an attention of four heads", measured(loss, 4), rise);
    // The loss is a square of what is linear in the mask: along each number it is a parabola. Its slope at 1 is the
    // mean of those of the chords on both sides.
    std::vector<double> slopes;
    for (int head = 0; head < 4; ++head) {
      const Tensor here = to(equal(arange(4), head), DType::f64);
      slopes.push_back((loss(1 - here).item() - loss(1 + here).item()) / 2);
    }
    exercises::expect("estimated(loss, 4), for an attention of four heads", estimated(loss, 4),
                      tensor(slopes, {4}, DType::f64));
    fmt::print("Of four heads of an attention, the loss with all being {:.4}:\n  measured  {}\n  estimated {}\n", all,
               measured(loss, 4), estimated(loss, 4));
  });
}
