#include "nn/text/tokens.h"

#include <algorithm>

namespace regard::nn {

Tensor token_tensor(const Tokens& tokens) {
  Tensor result = empty({static_cast<std::int64_t>(tokens.size())}, DType::i64);
  std::copy(tokens.begin(), tokens.end(), result.writable<std::int64_t>());
  return result;
}

}  // namespace regard::nn
