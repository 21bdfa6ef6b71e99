#include "autograd/all.h"
#include "nn/attention/positions/sinusoidal.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::cache_offset {

// The last of the rows that were seen are the queries; each sees those before it, and itself.
Variable attend(const Variable& queries, const Variable& seen) {
  const std::int64_t n = queries.size(0), all = seen.size(0);
  const Tensor visible = tril(ones({n, all}, DType::f64), all - n);
  return matmul(masked_softmax(matmul(queries, transpose(seen)), 1, visible), seen);
}

Variable positions(std::int64_t count, std::int64_t size, std::int64_t first) {
  return nn::sinusoidal_table(count, size, first, DType::f64);
}

// museum: wrong
Variable read_wrong(const Variable& tokens, Variable& seen) {  // the next tokens (n, E), and the cache of those before
  const Variable x = tokens + positions(tokens.size(0), tokens.size(1), 0);
  seen = cat({seen, x}, 0);
  return attend(x, seen);
}
// museum: /wrong

// museum: right
Variable read(const Variable& tokens, Variable& seen) {
  const Variable x = tokens + positions(tokens.size(0), tokens.size(1), seen.size(0));
  seen = cat({seen, x}, 0);
  return attend(x, seen);
}
// museum: /right

const Hung on_the_wall({
    .name = "cache_offset",
    .title = "With a cache, new tokens stand at position 0",
    .looks = "Training is right, and so is the first pass through the prompt. But all that is written stands at "
             "position 0: the text becomes odd after a few words, or goes round in circles.",
    .common = "Common: the function that adds positions sees the new token alone, and counts from 0. Reported, among "
              "others, for rotary positions in moeut (pull request 6) and in rotary-embedding-torch (issue 11).",
    .lesson = "A cache is there to save work, and must change nothing. So read a text token by token, and compare with "
              "all of it at once: the rows must be the same. The first position of new tokens is the number of real "
              "tokens before them. That is the length of the cache only if it [holds no "
              "padding](cache_keeps_padding.md).",
    .look =
        [](bool wrong) {
          const Tensor text = noise({5, 4});
          const auto read_by = [&](std::int64_t step) {
            Variable seen = zeros({0, 4}, DType::f64);
            std::vector<Variable> outputs;
            for (std::int64_t i = 0; i < 5; i += step) {
              const Variable next = slice(text, 0, i, i + step);
              outputs.push_back(wrong ? read_wrong(next, seen) : read(next, seen));
            }
            return cat(outputs, 0).value();
          };
          return by_law("token by token gives what all at once gives", read_by(1), read_by(5));
        },
});

}  // namespace regard::museum::cache_offset
