#include "nn/decoding/writer.h"

#include "autograd/ops/index.h"
#include "tensor/ops/index.h"

namespace regard::nn {

ReadSources ReadSources::of(const Tensor& sequences) const {
  const NoGrad no_grad;
  return {index_select(memory, 0, sequences), lengths.defined() ? index_select(lengths, 0, sequences) : Tensor()};
}

void require_padded(const char* function, const Tensor& tokens, const Tensor& lengths) {
  require_indexes(function, tokens);
  require_indexes(function, lengths);
  if (tokens.rank() != 2 || lengths.shape() != Shape{tokens.size(0)})
    fail<ShapeError>("{}: tokens {} and lengths {}: they must be (B, L) and (B)", function, tokens.shape(),
                     lengths.shape());
  for (const double length : to_vector(lengths))
    if (length < 0 || length > static_cast<double>(tokens.size(1)))
      fail<ValueError>("{}: a length of {} in tokens {}", function, length, tokens.shape());
}

void require_texts(const Tensor& tokens, const ReadSources& sources) {
  if (tokens.size(0) != sources.memory.size(0))
    fail<ShapeError>("writer: tokens {} for {} sources: each source has one text", tokens.shape(),
                     sources.memory.size(0));
}

}  // namespace regard::nn
