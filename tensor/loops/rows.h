#pragma once

#include "tensor/tensor.h"
#include "tensor/threads/parallel.h"

namespace regard::loops {

// The last axis of a tensor is taken as rows of D numbers, and all axes in front of it as a list of N rows.
struct Rows {
  std::int64_t count, length;
};

inline Rows rows_of(const Tensor& x) {
  const std::int64_t length = x.shape().back();
  return {length == 0 ? 0 : x.numel() / length, length};
}

// Calls body(row) for every row, shared out among the threads.
template <class Body>
void for_each_row(Rows rows, const Body& body) {
  parallel_for(rows.count, items_of_a_task(rows.length), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t row = begin; row < end; ++row) body(row);
  });
}

// A sum that runs over all rows is made block by block, and then the sums of the blocks are added up: so it does not
// depend on who computes which block.
inline constexpr std::int64_t rows_per_block = 64;
inline std::int64_t blocks_of(Rows rows) { return (rows.count + rows_per_block - 1) / rows_per_block; }

// Calls body(block, first row, end) for every block, shared out among the threads.
template <class Body>
void for_each_block(Rows rows, const Body& body) {
  parallel_for(blocks_of(rows), 1, [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t block = begin; block < end; ++block)
      body(block, block * rows_per_block, std::min((block + 1) * rows_per_block, rows.count));
  });
}

}  // namespace regard::loops
