#include "nn/attention/cache.h"

#include "autograd/ops/index.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"

namespace regard::nn {

namespace {

Variable appended(const Variable& x, const Variable& more, Room& room) {
  const bool records = is_recording() && (x.requires_grad() || more.requires_grad());
  if (!records) return append(x.defined() ? x.value() : Tensor(), more.value(), room);
  return x.defined() ? cat({x, more}, -2) : more;
}

}  // namespace

void KeyValueCache::append(const Variable& more_keys, const Variable& more_values) {
  keys = appended(keys, more_keys, room_of_keys);
  values = appended(values, more_values, room_of_values);
  next += more_keys.size(-2);
}

const Variable& KeyValueCache::append_numbers(const Variable& more) {
  return numbers = appended(numbers, more, room_of_numbers);
}

void KeyValueCache::keep_ends(std::int64_t first, std::int64_t last) {
  const std::int64_t count = length();
  if (count <= first + last) return;
  for (Variable* x : {&keys, &values, &numbers})
    if (x->defined()) *x = cat({slice(*x, -2, 0, first), slice(*x, -2, count - last, count)}, -2);
}

void KeyValueCache::select(const Tensor& sequences) {
  for (Variable* x : {&keys, &values, &numbers})
    if (x->defined()) *x = index_select(*x, 0, sequences);
}

}  // namespace regard::nn
