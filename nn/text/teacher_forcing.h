#pragma once

#include "nn/text/length_batches.h"

#include <limits>

namespace regard::nn {

struct TeacherForcingOptions {
  std::int64_t begin, end, padding;
  // The class that stands in the target where there is nothing to predict. The default is the one that
  // cross_entropy_loss leaves out by default; it is no token, so padding and end may be the same token.
  std::int64_t ignore = std::numeric_limits<std::int64_t>::min();
};

// What a decoder sees in training, and what it is to say. At each position it is given the right tokens so far,
// whatever it would have said itself, and has to find the next one:
//
//   sequence   a    b    c             of length 3
//   input      BOS  a    b    c    padding …
//   target     a    b    c    EOS  ignore …
//
// So target[t] = input[t + 1], with the end behind the last. One that may see input[t + 1] when it predicts target[t]
// learns nothing: the decoder needs a causal mask.
struct TeacherForced {
  Tensor input, target;  // (B, L + 1), i64
  Tensor lengths;        // (B): those of the sequences, plus 1
};
TeacherForced teacher_forcing(const PaddedTokens& sequences, const TeacherForcingOptions& options);

}  // namespace regard::nn
