// 43. Top p · grade 2 · chapter 14_generation
//
// A vocabulary has 50,000 tokens, and most of them make no sense at a given place. Each is very unlikely, but together
// they are drawn once in twenty words, and one senseless word spoils all that follows. So the unlikely ones are taken
// away before a token is drawn. Where the model is sure, one token is enough; where many words would do, all of them
// should be left. Top p does both: it keeps the likeliest tokens, as few as have the probability p together.
//
// Hint: Sort a row, and look at the sum of the probabilities *before* each token. As long as it is below p the token is
// still needed. But in the end the logits must stand in their old places: argsort says where each of them came from,
// and scatter_add puts numbers there.
#include "examples/exercises/exercise.h"
#include "nn/decoding/logits.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/order.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"

#include <cmath>

using namespace regard;

// TODO: logits (B, V) → the same, with −∞ for all tokens that are taken away. Each row is a text of its own. You may
// use all operations on Tensors, such as argsort(x, 1, SortOrder::descending), gather, cumsum and where, or loops. But
// do not use nn::keep_top_p.
Tensor top_p(const Tensor& logits, double p) { return logits; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const double ln2 = std::log(2), none = -INFINITY;
    const auto whole = [&](const Nested& numbers) { return ln2 * tensor(numbers, DType::f64); };  // in units of ln 2
    // The probabilities of the first row are 1/11, 2/11 and 8/11, those of the second 4/7, 1/7 and 2/7.
    const Tensor logits = whole({{1, 2, 4}, {3, 1, 2}});
    exercises::expect(
        "top_p(ln 2·(1 2 4; 3 1 2), 0.7)", top_p(logits, 0.7), whole({{none, none, 4}, {3, none, 2}}),
        {{logits, "Nothing is taken away. (Or did you begin with the least likely token?)"},
         {whole({{none, none, none}, {3, none, none}}),
          "In the first row nothing is left. The token that reaches p is needed: only what comes after it "
          "is taken away."},
         {whole({{0, 0, 4}, {3, 0, 2}}), "A token with the logit 0 can be drawn. Which logit has p = 0?"},
         {whole({{4, none, none}, {3, 2, none}}),
          "These are the right numbers in the order of the sorted row. A logit must stand where its token "
          "has its place."},
         {tensor({{0, 0, 1}, {2.0 / 3, 0, 1.0 / 3}}, DType::f64),
          "These are probabilities. The next rule, and the draw, want logits."},
         {whole({{1, 2, none}, {none, 1, 2}}), "This keeps the least likely tokens."},
         {whole({{1, 2, 4}, {3, 1, none}}), "Is the row sorted before the probabilities are added up?"}});
    exercises::expect("top_p(…, 0.8)", top_p(logits, 0.8), whole({{none, 2, 4}, {3, none, 2}}));
    exercises::expect("top_p(…, 0.1), where one token is enough", top_p(logits, 0.1),
                      whole({{none, none, 4}, {3, none, none}}),
                      {{whole({{none, none, none}, {none, none, none}}), "The likeliest token must always be left."}});
    Generator generator(1);
    const Tensor many = normal({5, 40}, generator, 0, 2, DType::f64);
    exercises::expect("top_p of five rows of forty tokens, 0.9", top_p(many, 0.9), nn::keep_top_p(many, 0.9));
  });
}
