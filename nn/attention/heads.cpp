#include "nn/attention/heads.h"

#include "autograd/ops/join.h"
#include "autograd/ops/view.h"

namespace regard::nn {

Variable split_heads(const Variable& x, std::int64_t heads) {
  return transpose(reshape(x, {x.size(0), x.size(1), heads, x.size(2) / heads}), 1, 2);
}

Variable merge_heads(const Variable& x) { return flatten(transpose(x, 1, 2), -2, -1); }

Variable repeat_heads(const Variable& x, std::int64_t times) {
  if (times == 1) return x;
  const Variable repeated = expand(unsqueeze(x, 2), {x.size(0), x.size(1), times, x.size(2), x.size(3)});
  return flatten(repeated, 1, 2);
}

void KeyValueCache::append(const Variable& more_keys, const Variable& more_values) {
  keys = keys.defined() ? cat({keys, more_keys}, -2) : more_keys;
  values = values.defined() ? cat({values, more_values}, -2) : more_values;
}

}  // namespace regard::nn
