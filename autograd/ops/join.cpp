#include "autograd/ops/join.h"

#include "autograd/ops/view.h"
#include "autograd/record.h"

namespace regard {
namespace {

std::vector<Tensor> values_of(const char* operation, const std::vector<Variable>& parts) {
  std::vector<Tensor> values;
  for (const Variable& part : parts) values.push_back(part.value(operation));
  return values;
}

}  // namespace

// y is the parts end to end:  each part gets its stretch of the gradient.
Variable cat(const std::vector<Variable>& parts, int axis) {
  return record(op("cat"), parts, cat(values_of("cat", parts), axis), [axis](const Variable& grad, const Saved& saved) {
    graph::Gradients stretches;
    std::int64_t begin = 0;
    for (const Variable& part : saved.inputs) {
      stretches.push_back(slice(grad, axis, begin, begin + part.size(axis)));
      begin += part.size(axis);
    }
    return stretches;
  });
}

// y is the parts side by side:  each gets an axis of size 1, along which they are put end to end. So by the rules of
// unsqueeze and cat each gets its layer of the gradient.
Variable stack(const std::vector<Variable>& parts, int axis) {
  require_stack(values_of("stack", parts));
  std::vector<Variable> layers;
  for (const Variable& part : parts) layers.push_back(unsqueeze(part, axis));
  return cat(layers, axis < 0 ? axis + layers.front().rank() : axis);
}

// Each part is a slice of x:  its gradient is placed where the slice came from, and the gradients of the parts add up.
std::vector<Variable> split(const Variable& x, const std::vector<std::int64_t>& sizes, int axis) {
  require_split(x.shape(), sizes, axis);
  std::vector<Variable> parts;
  std::int64_t begin = 0;
  for (std::int64_t size : sizes) {
    parts.push_back(slice(x, axis, begin, begin + size));
    begin += size;
  }
  return parts;
}

// y is x with a margin of constants:  their part of the gradient is dropped.
Variable pad(const Variable& x, const std::vector<AxisPadding>& widths, double value) {
  return record(op("pad"), {x}, pad(x.value(), widths, value), [widths](const Variable& grad, const Saved& saved) {
    Variable middle = grad;
    for (int axis = 0; axis < grad.rank(); ++axis) {
      const std::int64_t before = widths[static_cast<std::size_t>(axis)].before;
      middle = slice(middle, axis, before, before + saved.input().size(axis));
    }
    return gradients(middle);
  });
}

// y is x among zeros:  the gradients of the zeros are dropped. place and slice are each other's rule.
Variable place(const Variable& x, const Shape& shape, int axis, std::int64_t begin, std::int64_t step) {
  return record(op("place"), {x}, place(x.value(), shape, axis, begin, step),
                [axis, begin, step](const Variable& grad, const Saved& saved) {
                  const std::int64_t count = saved.input().size(axis);
                  const std::int64_t end = count == 0 ? begin : begin + (count - 1) * step + 1;
                  return gradients(slice(grad, axis, begin, end, step));
                });
}

}  // namespace regard
