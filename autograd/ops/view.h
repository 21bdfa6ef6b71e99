#pragma once

#include "autograd/variable.h"
#include "tensor/view.h"

namespace regard {

// The verbs of tensor/view.h, recorded.

// The same value under a fresh name: a Variable of its own, with x as its past.
Variable identity(const Variable& x);

Variable reshape(const Variable& x, const Shape& shape);
Variable flatten(const Variable& x, int first = 0, int last = -1);
Variable permute(const Variable& x, const std::vector<int>& order);
Variable transpose(const Variable& x, int a = -2, int b = -1);
Variable unsqueeze(const Variable& x, int axis);
Variable squeeze(const Variable& x, int axis);
Variable squeeze(const Variable& x);
Variable expand(const Variable& x, const Shape& shape);
Variable slice(const Variable& x, int axis, std::int64_t begin, std::int64_t end = to_end, std::int64_t step = 1);
Variable select(const Variable& x, int axis, std::int64_t index);
Variable flip(const Variable& x, int axis);
Variable repeat_interleave(const Variable& x, std::int64_t count, int axis);

}  // namespace regard
