#include "nn/attention/modifier.h"

namespace regard::nn {

const Variable& require_heads(const char* name, const Variable& scores, std::int64_t heads) {
  if (scores.rank() < 4 || scores.size(-3) != heads)
    fail<ShapeError>("{}: made for {} heads, (B, H, L, …), and given {}", name, heads, scores.shape());
  return scores;
}

}  // namespace regard::nn
