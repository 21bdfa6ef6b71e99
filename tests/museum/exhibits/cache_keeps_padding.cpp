#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::cache_keeps_padding {

Variable attend(const Variable& q, const Variable& seen, const Tensor& visible) {
  return matmul(masked_softmax(matmul(q, transpose(seen)), 1, visible), seen);
}

// 1 where a token is real: (B, 1, L), for lengths (B).
Tensor real(const Tensor& lengths, std::int64_t longest) {
  return to(less(arange(longest), reshape(lengths, {-1, 1, 1})), DType::f64);
}

// museum: wrong
// Prompts (B, L, E) of these lengths (B), and the next token of each, (B, 1, E).
Variable write_wrong(const Variable& prompts, const Tensor& lengths, const Variable& token) {
  const Variable cache = cat({prompts, token}, 1);
  return attend(token, cache, real(lengths + 1, cache.size(1)));
}
// museum: /wrong

// museum: right
Variable write(const Variable& prompts, const Tensor& lengths, const Variable& token) {
  const Variable cache = cat({prompts, token}, 1);
  return attend(token, cache, cat({real(lengths, prompts.size(1)), ones({token.size(0), 1, 1}, DType::f64)}, 2));
}
// museum: /right

const Hung on_the_wall({
    .name = "cache_keeps_padding",
    .title = "The cache keeps the padding, and the mask does not know",
    .looks =
        "Prompts of different lengths are padded on the right and read as one batch. Then each new token is put "
        "behind the padding. The mask counts one more real token; so for a short prompt it shows a row of padding, "
        "and hides the new token. The longest prompt of the batch writes well, the others write nonsense.",
    .common = "Common in decoding that is written by hand: lengths are one number for each sequence, and they cannot "
              "say that there is a gap. Reports that a prompt writes well alone and badly in a batch are many; in "
              "Hugging Face transformers, issue 3095 is an early one.",
    .lesson =
        "What a sequence becomes must not depend on the others in its batch. So write for the short prompt alone, "
        "and compare with its row. A mask must be kept with the cache, place by place. "
        "(This library pads nothing when it writes: see nn/decoding.)",
    .look =
        [](bool wrong) {
          const Tensor prompts = noise({2, 3, 4}, 1), token = noise({2, 1, 4}, 2);
          const Tensor lengths = to(tensor({3, 1}), DType::i64);
          const auto written = wrong ? write_wrong : write;
          const Variable alone =
              written(slice(slice(prompts, 0, 1), 1, 0, 1), slice(lengths, 0, 1), slice(token, 0, 1));
          return by_law("a sequence gives the same alone and in a batch",
                        slice(written(prompts, lengths, token), 0, 1).value(), alone.value());
        },
});

}  // namespace regard::museum::cache_keeps_padding
