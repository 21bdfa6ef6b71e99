#include "autograd/all.h"
#include "nn/attention/all.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::mask_polarity {

// museum: wrong
Variable attend_wrong(const Variable& x, const Tensor& is_padding) {
  nn::Attention attention(nn::ScaledDotProduct{});
  return attention(x, x, x, nn::Mask::keep(is_padding)).output;
}
// museum: /wrong

// museum: right
Variable attend(const Variable& x, const Tensor& is_padding) {
  nn::Attention attention(nn::ScaledDotProduct{});
  return attention(x, x, x, nn::Mask::drop(is_padding)).output;
}
// museum: /right

const Hung on_the_wall({
    .name = "mask_polarity",
    .title = "A mask is read the wrong way round",
    .looks = "A 1 of the mask means \"this is padding\", and attention reads it as \"this may be seen\". All queries "
             "look at padding alone. Shapes fit, and there is no error.",
    .common = "Very common, since both readings are in use: in PyTorch a true of key_padding_mask hides a key, and a "
              "true of the mask of scaled_dot_product_attention shows it. rasbt/LLMs-from-scratch#1061 is a book that "
              "was caught by this; lucidrains/x-transformers#164 asks whether true is true.",
    .lesson = "The gradient of an output with respect to padding must be 0. Here the name of the function says how the "
              "mask is read: keep or drop.",
    .look =
        [](bool wrong) {
          const Variable x = parameter(noise({1, 5, 4}));
          const Tensor is_padding = tensor({{0, 0, 0, 1, 1}}, DType::i64);
          return by_error("assert_padding_ignored", [&] {
            assert_padding_ignored((wrong ? attend_wrong : attend)(x, reshape(is_padding, {1, 1, 5})), x, 3);
          });
        },
});

}  // namespace regard::museum::mask_polarity
