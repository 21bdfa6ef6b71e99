#include "autograd/all.h"
#include "nn/attention/mask.h"
#include "nn/losses.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/attention.h"
#include "tests/museum/tools.h"

namespace regard::museum::mask_added {

// museum: wrong
Variable weights_wrong(const Variable& scores, const Tensor& keep) { return softmax(scores + Variable(keep), -1); }
// museum: /wrong

// museum: right
Variable weights(const Variable& scores, const Tensor& keep) { return masked_softmax(scores, 1, keep); }
// museum: /right

Variable attend(bool wrong, const Variable& q, const Variable& k, const Variable& v) {
  const Tensor keep = nn::Mask::causal().table(pairs::shape_of(q, k, v), DType::f64);
  return weighing(wrong ? weights_wrong : weights)(q, k, v, keep).output;
}

// Each token is drawn by itself, so nobody can say the next one: the loss can be log 4 at best.
std::vector<double> learn(bool wrong) {
  constexpr std::int64_t batch = 16, length = 6, width = 16, tokens = 4;
  Generator random(1);
  const Projections w(width);
  Variable table = parameter(noise({tokens, width}, 5)), positions = parameter(noise({length, width}, 6));
  std::vector<Variable> all = w.all();
  all.insert(all.end(), {table, positions});
  return train(150, 0.01, all, [&, table, positions] {
    const Tensor text = randint({batch, length + 1}, random, 0, tokens);
    const Tensor now = slice(text, 1, 0, length), next = slice(text, 1, 1);
    const Variable x = reshape(index_select(table, 0, reshape(now, {-1})), {batch, length, width}) + positions;
    const Variable y = attend(wrong, matmul(x, w.q), matmul(x, w.k), matmul(x, w.v));
    return nn::cross_entropy_loss(matmul(matmul(y, w.o), transpose(table)), next);
  });
}

const Hung on_the_wall({
    .name = "mask_added",
    .title = "A mask of 0 and 1 is added to the scores",
    .looks = "What may be seen gets a score that is larger by 1, and what may not be seen is seen a little less. The "
             "loss of a language model falls further than it can with the right mask.",
    .common = "It comes from the formula softmax(scores + mask), in which the mask holds 0 and minus infinity. "
              "huggingface/transformers#542 asks about it; awslabs/gluonts (pull request #1401) and "
              "hyunwoongko/transformer#10 had scores near 0 in hidden places, which is seen as well.",
    .lesson = "In the picture the tokens are random, so that the next one cannot be known: a loss below log 4 = 1.39 "
              "is read from the answer. The curve with the mistake looks better, and only a check that asks who "
              "depends on whom tells. A hidden pair is left out of softmax.",
    .look =
        [](bool wrong) {
          const Variable x = parameter(noise({1, 4, 3}));
          return by_error("assert_causal", [&] { assert_causal(attend(wrong, x, x, x), x); });
        },
    .learn = learn,
    .finding = "better than random tokens allow",
});

}  // namespace regard::museum::mask_added
