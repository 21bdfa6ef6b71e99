#include "nn/text/teacher_forcing.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

// `token` where the mask is 1. i64 beyond 2⁵³ is not what a double can hold, so it is filled in as a tensor.
Tensor fill_where(const Tensor& mask, std::int64_t token, const Tensor& tokens) {
  return where(mask, token_tensor({token}), tokens);
}

}  // namespace

TeacherForced teacher_forcing(const PaddedTokens& sequences, const TeacherForcingOptions& options) {
  require_padded("teacher_forcing", sequences.tokens, sequences.lengths);
  const Tensor& tokens = sequences.tokens;
  const std::int64_t rows = tokens.size(0), columns = tokens.size(1) + 1;
  const Tensor lengths = unsqueeze(sequences.lengths, 1), positions = arange(columns);
  const Tensor begins = expand(token_tensor({options.begin}), {rows, 1});
  const Tensor ends = expand(token_tensor({options.end}), {rows, 1});
  const Tensor input = fill_where(greater(positions, lengths), options.padding, cat({begins, tokens}, 1));
  const Tensor said = fill_where(equal(positions, lengths), options.end, cat({tokens, ends}, 1));
  return {input, fill_where(greater(positions, lengths), options.ignore, said), sequences.lengths + 1};
}

}  // namespace regard::nn
