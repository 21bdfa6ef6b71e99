#include "autograd/ops/view.h"

#include "autograd/ops/join.h"
#include "autograd/ops/reduce.h"
#include "autograd/record.h"
#include "tensor/view_shapes.h"

namespace regard {

namespace {

// All operations that only rename axes have the same rule: give the gradient the shape of the input again.
Variable with_value(const OpInfo& op, const Variable& x, Tensor value) {
  return record(op, {x}, std::move(value), [](const Variable& grad, const Saved& saved) {
    return gradients(reshape(grad, saved.input().shape()));
  });
}

}  // namespace

// y = x:  dy = dx.
Variable identity(const Variable& x) {
  return record(op("identity"), {x}, x.value(), [](const Variable& grad, const Saved&) { return gradients(grad); });
}

// y holds the elements of x in the same order:  dy = dx, reshaped.
Variable reshape(const Variable& x, const Shape& shape) {
  Tensor value = reshape(x.value(), shape);
  if (value.shape() == x.shape()) return x;
  return with_value(op("reshape"), x, std::move(value));
}

// y holds the elements of x in the same order, some of its axes made one:  dy = dx, reshaped.
Variable flatten(const Variable& x, int first, int last) {
  return with_value(op("flatten"), x, flatten(x.value(), first, last));
}
// y is x with one more axis, of size 1. No element moves:  dy = dx, reshaped.
Variable unsqueeze(const Variable& x, int axis) { return with_value(op("unsqueeze"), x, unsqueeze(x.value(), axis)); }
// y is x without an axis of size 1, or without all of them:  dy = dx, reshaped.
Variable squeeze(const Variable& x, int axis) { return with_value(op("squeeze"), x, squeeze(x.value(), axis)); }
Variable squeeze(const Variable& x) { return with_value(op("squeeze"), x, squeeze(x.value())); }

// Axis i of y is axis order[i] of x:  going back, axis i of the gradient becomes axis order[i].
Variable permute(const Variable& x, const std::vector<int>& order) {
  return record(op("permute"), {x}, permute(x.value(), order), [order](const Variable& grad, const Saved&) {
    std::vector<int> back(order.size());
    for (std::size_t i = 0; i < order.size(); ++i)
      back[static_cast<std::size_t>(axis_of("permute", order[i], grad.shape()))] = static_cast<int>(i);
    return gradients(permute(grad, back));
  });
}

// A swap undoes itself.
Variable transpose(const Variable& x, int a, int b) {
  return record(op("transpose"), {x}, transpose(x.value(), a, b),
                [a, b](const Variable& grad, const Saved&) { return gradients(transpose(grad, a, b)); });
}

// book: expand
// y repeats x:  each element of x collects the gradients of all its copies.
Variable expand(const Variable& x, const Shape& shape) {
  if (x.shape() == shape) return x;
  return record(op("expand"), {x}, expand(x.value(), shape), [](const Variable& grad, const Saved& saved) {
    return gradients(sum_to(grad, saved.input().shape()));
  });
}
// book: /expand

// y is a part of x:  the rest of x had no influence, so its gradient is 0.
Variable slice(const Variable& x, int axis, std::int64_t begin, std::int64_t end, std::int64_t step) {
  Tensor value = slice(x.value(), axis, begin, end, step);
  const auto range = slice_range(x.shape(), axis, begin, end, step);
  return record(op("slice"), {x}, std::move(value), [axis, range](const Variable& grad, const Saved& saved) {
    return gradients(place(grad, saved.input().shape(), axis, range.begin, range.step));
  });
}

// y is a slice of length 1, without its axis:  the rule of slice places the gradient among zeros.
Variable select(const Variable& x, int axis, std::int64_t index) {
  const Tensor value = select(x.value(), axis, index);  // complains in its own name
  const std::int64_t begin = index < 0 ? index + x.size(axis) : index;
  return reshape(slice(x, axis, begin, begin + 1), value.shape());
}

// A flip undoes itself.
Variable flip(const Variable& x, int axis) {
  return record(op("flip"), {x}, flip(x.value(), axis),
                [axis](const Variable& grad, const Saved&) { return gradients(flip(grad, axis)); });
}

// y holds `count` copies of each element side by side:  expand's rule sums their gradients.
Variable repeat_interleave(const Variable& x, std::int64_t count, int axis) {
  const Interleaving way = interleaving(x.shape(), count, axis);
  return reshape(expand(unsqueeze(x, way.axis + 1), way.beside), way.joined);
}

}  // namespace regard
