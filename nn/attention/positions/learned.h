#pragma once

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "nn/module.h"
#include "tensor/random/random.h"

namespace regard::nn {

struct LearnedPositionsOptions {
  std::int64_t count, size;  // positions beyond the count have no row
  DType dtype = DType::f32;
};

// x + T, for x (…, L, E) whose first row stands at position `offset`: row i of the table T (count, E) is learned for
// position i. It starts normal with deviation 0.02, small against what it is added to.
struct LearnedPositions {
  Variable table;

  LearnedPositions(const LearnedPositionsOptions& o, Generator& g)
      : table(parameter(normal({o.count, o.size}, g, 0, 0.02, o.dtype))) {}

  void visit(Visitor& v) { v("table", table); }

  Variable operator()(const Variable& x, std::int64_t offset = 0) const {
    require_defined("LearnedPositions", x);
    const std::int64_t end = offset + x.size(-2);
    if (offset < 0 || end > table.size(0))
      fail<ShapeError>("LearnedPositions: {} at {} needs positions up to {}, but the table is {}", x.shape(), offset,
                       end, table.shape());
    return x + slice(table, 0, offset, end);
  }
};

}  // namespace regard::nn
