#pragma once

#include "tensor/loops/walk.h"
#include "tensor/threads/parallel.h"

namespace regard::loops {

// A reduction seen from above: which elements of the result there are, and which elements of x fall onto one of them.
struct Folding {
  Shape kept, folded;
  Strides kept_strides, folded_strides;

  Folding(const Tensor& x, const Shape& marks) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      (marks[axis] ? folded : kept).push_back(x.shape()[axis]);
      (marks[axis] ? folded_strides : kept_strides).push_back(x.strides()[axis]);
    }
  }
  Walk<1> results() const { return {kept, {kept_strides}}; }
  Walk<1> elements() const { return {folded, {folded_strides}}; }
};

// Long folds are cut into blocks of fixed size, so that threads can share them and the result does not depend on how
// many they are. Each block gives one partial result; those, a tensor (blocks, kept axes…), are folded in turn.
constexpr std::int64_t block_count(std::int64_t count, std::int64_t block) {
  return std::max<std::int64_t>(1, (count + block - 1) / block);
}

// Calls fold(rows) for every element of the result and every block of what falls onto it:
//   rows(row)    visits them as straight runs: row(first, count, step).
// Returns the partial results.
template <class Out, class In, class Fold>
Tensor fold_blocks(const Tensor& x, const Folding& folding, std::int64_t block, Fold fold) {
  const std::int64_t count = folding.folded.numel(), results = folding.kept.numel();
  const std::int64_t blocks = block_count(count, block);
  Tensor partial = empty({blocks, results}, dtype_of<Out>());
  Out* out = partial.template writable<Out>();
  const In* in = x.template data<In>();
  const Walk<1> result_walk = folding.results(), element_walk = folding.elements();
  const std::int64_t step = element_walk.row_steps()[0];

  // The rows of one block of what falls onto an element, which begins at `first`.
  const auto rows_of_block = [&](const In* first, std::int64_t number) {
    return [=, &element_walk](auto row) {
      element_walk.run(
          number * block, std::min(count, (number + 1) * block),
          [&](std::int64_t, const auto& start, std::int64_t length) { row(first + start[0], length, step); });
    };
  };

  // A task is one block of one element; they are numbered block after block.
  parallel_for(blocks * results, items_of_a_task(std::min(count, block)), [&](std::int64_t begin, std::int64_t end) {
    for (std::int64_t task = begin; task < end;) {
      const std::int64_t number = task / results, last = std::min(end, (number + 1) * results);
      const std::int64_t first_result = task % results, end_result = first_result + (last - task);
      result_walk.run(first_result, end_result, [&](std::int64_t, const auto& offset, std::int64_t run_length) {
        for (std::int64_t i = 0; i < run_length; ++i)
          out[task++] = fold(rows_of_block(in + offset[0] + i * result_walk.row_steps()[0], number));
      });
    }
  });
  return partial;
}

// For results that lie side by side in x, as the columns of a matrix do: row after row is combined with a strip of
// running results, so that memory is read in its own order. Strips are wide, for that order's sake, but stay in the
// nearest cache; those of a single block of rows are narrower, as there is nothing else for threads to share.
template <class T, class Combine>
Tensor fold_columns(const Tensor& x, const Folding& folding, std::int64_t block, Combine combine) {
  const std::int64_t count = folding.folded.numel(), results = folding.kept.numel();
  const std::int64_t blocks = block_count(count, block);
  Tensor partial = empty({blocks, results}, dtype_of<T>());
  T* out = partial.template writable<T>();
  const T* in = x.template data<T>();
  const Walk<1> result_walk = folding.results(), element_walk = folding.elements();
  const std::int64_t step = element_walk.row_steps()[0];
  const std::int64_t widest = (blocks > 1 ? 1 << 14 : 1 << 12) / static_cast<std::int64_t>(sizeof(T));
  const std::int64_t strips = block_count(results, widest);

  const std::int64_t work = std::min(results, widest) * std::min(count, block);
  parallel_for(blocks * strips, items_of_a_task(work), [&](auto begin, auto end) {
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t first_row = task / strips * block, end_row = std::min(count, first_row + block);
      const std::int64_t first_result = task % strips * widest;
      T* strip_out = out + task / strips * results;
      result_walk.run(first_result, std::min(results, first_result + widest),
                      [&](auto position, const auto& offset, auto n) {
                        T* __restrict strip = strip_out + position;
                        std::fill_n(strip, n, Combine::template identity<T>);
                        element_walk.run(first_row, end_row, [&](std::int64_t, const auto& start, std::int64_t length) {
                          for (std::int64_t row = 0; row < length; ++row) {
                            const T* line = in + offset[0] + start[0] + row * step;
                            for (std::int64_t i = 0; i < n; ++i) strip[i] = combine(strip[i], line[i]);
                          }
                        });
                      });
    }
  });
  return partial;
}

// True where fold_columns is the better way.
inline bool folds_columns(const Folding& folding) {
  const Walk<1> results = folding.results();
  return folding.kept.numel() > 0 && results.row_steps()[0] == 1 && results.row_length() >= 8 &&
         folding.elements().row_steps()[0] != 1;
}

}  // namespace regard::loops
