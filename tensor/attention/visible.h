#pragma once

#include "tensor/attention/key_range.h"
#include "tensor/tensor.h"

#include <optional>
#include <vector>

namespace regard {

// Who sees whom: a mask, worked out for scores of one shape (…, Lq, Lk). A pair of a query and a key is visible if
// ranges, own key and table all say so. Ranges take two numbers for each query, where a table takes one for each pair.
struct Visible {
  std::vector<KeyRange> ranges = {};  // of query i: ranges[i], Lq of them; none: all keys
  bool per_sequence = false;          // if so, scores are (B, …, Lq, Lk), and sequence b has ranges[b·Lq + i]
  // If given, as many as ranges: a query belongs to a document that begins there. Its sums are cut at places counted
  // from this key on, as they would be if the document stood alone; without, from the first key that any query sees.
  std::vector<std::int64_t> begins = {};
  std::optional<std::int64_t> own = {};  // if given, query i does not see key i + own, which is itself
  Tensor keep = {};  // if defined: 1 where the query sees the key, else 0; of the scores' dtype, and broadcasts to them

  bool is_everything() const { return ranges.empty() && !own && !keep.defined(); }
};

// The same written out: 1 where a query sees a key, else 0. It broadcasts to the scores.
Tensor visible_table(const Visible& visible, const Shape& scores, DType dtype);

// 1 for a key that some query sees, (…, 1, Lk); 1 for a query that sees some key, (…, Lq, 1). They broadcast to the
// scores.
Tensor seen_keys(const Visible& visible, const Shape& scores, DType dtype);
Tensor seeing_queries(const Visible& visible, const Shape& scores, DType dtype);

}  // namespace regard
