#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::positions_of_padding {

// museum: wrong
Tensor positions_wrong(std::int64_t length, const Tensor& begins) {  // of sequences that begin there: (B) → (B, L)
  return expand(arange(length), {begins.size(0), length});
}
// museum: /wrong

// museum: right
Tensor positions(std::int64_t length, const Tensor& begins) {
  return maximum(arange(length) - unsqueeze(begins, 1), 0);
}
// museum: /right

// What the last position sees of real tokens (B, L, E). Positions are rows of a table.
Tensor last_output(bool wrong, const Tensor& tokens, const Tensor& begins) {
  const std::int64_t length = tokens.size(1);
  const Tensor place = wrong ? positions_wrong(length, begins) : positions(length, begins);
  const Tensor x = tokens + reshape(index_select(noise({8, 4}, 9), 0, flatten(place)), tokens.shape());
  const Tensor real = to(greater_equal(arange(length), reshape(begins, {-1, 1, 1})), DType::f64);
  const Tensor query = slice(x, 1, -1);
  return matmul(masked_softmax(matmul(query, transpose(x)), 1, real), x);
}

const Hung on_the_wall({
    .name = "positions_of_padding",
    .title = "Positions are counted from the padding",
    .looks = "Prompts are padded on the left, so that all end at the same place. The longest prompt of a batch is "
             "answered well; the others get another answer than alone. One place is enough: in GPT-2 small a single "
             "row of padding changed the likeliest next token of most prompts, and two changed it for all "
             "(ndif-team/nnsight#672).",
    .common = "Very common with learned positions: huggingface/transformers#21080 and pull request #7552, "
              "facebookresearch/ParlAI (pull request #3193), ndif-team/nnsight#672. With rotary positions only "
              "distances count: moving a whole sequence changes nothing.",
    .lesson =
        "A mask hides the padding, and the tokens behind it still stand too far on. A sequence must give the same "
        "alone and in a batch; that is the law to test, with lengths that differ. Position 0 is where the text "
        "begins.",
    .look =
        [](bool wrong) {
          const Tensor tokens = noise({2, 5, 4}), begins = to(tensor({0, 2}), DType::i64);
          const Tensor alone = last_output(wrong, slice(slice(tokens, 0, 1), 1, 2), zeros({1}, DType::i64));
          return by_law("a sequence gives the same alone and in a batch",
                        slice(last_output(wrong, tokens, begins), 0, 1), alone);
        },
});

}  // namespace regard::museum::positions_of_padding
