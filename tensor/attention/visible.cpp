#include "tensor/attention/visible.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard {
namespace {

std::int64_t sequences(const Visible& visible, const Shape& scores) { return visible.per_sequence ? scores[0] : 1; }

// (…, 1, Lk), (…, Lq, 1) or so, with an axis of sequences in front where they differ.
Shape beside(const Visible& visible, const Shape& scores, std::int64_t queries, std::int64_t keys) {
  return Shape::filled(scores.rank(), 1).with(0, sequences(visible, scores)).with(-2, queries).with(-1, keys);
}

// What query i of sequence b sees, within the keys that there are; its own key is still among them.
KeyRange range_of(const Visible& visible, std::int64_t b, std::int64_t i, const Shape& scores) {
  const std::int64_t queries = scores.back(2), keys = scores.back();
  if (visible.ranges.empty()) return {0, keys};
  const KeyRange range = visible.ranges[static_cast<std::size_t>(b * queries + i)];
  const std::int64_t first = std::clamp<std::int64_t>(range.first, 0, keys);
  return {first, std::clamp(range.last, first, keys)};
}

bool hides_own(const Visible& visible, std::int64_t i, const KeyRange& range) {
  return visible.own && i + *visible.own >= range.first && i + *visible.own < range.last;
}

}  // namespace

Tensor visible_table(const Visible& visible, const Shape& scores, DType dtype) {
  Tensor table = visible.keep.defined() ? visible.keep : ones({1, 1}, dtype);
  const std::int64_t queries = scores.back(2), keys = scores.back();
  const Tensor key = arange(keys, dtype);
  if (visible.own) {
    const Tensor itself = add(arange(queries, dtype), static_cast<double>(*visible.own));
    table = multiply(table, not_equal(reshape(itself, {queries, 1}), key));
  }
  if (visible.ranges.empty()) return table;
  std::vector<double> first, last;
  for (const KeyRange& range : visible.ranges) {
    first.push_back(static_cast<double>(range.first));
    last.push_back(static_cast<double>(range.last));
  }
  const Shape shape = beside(visible, scores, queries, 1);
  const Tensor begun = greater_equal(key, tensor(first, shape, dtype)),
               not_ended = less(key, tensor(last, shape, dtype));
  return multiply(table, multiply(begun, not_ended));
}

Tensor seen_keys(const Visible& visible, const Shape& scores, DType dtype) {
  if (visible.keep.defined()) {
    const Tensor table = visible_table(visible, scores, dtype);
    return table.numel() == 0 ? table : max(table, -2, keepdim);
  }
  if (visible.is_everything()) return ones({1, 1}, dtype);
  const std::int64_t queries = scores.back(2), keys = scores.back();
  std::vector<double> seen;
  for (std::int64_t b = 0; b < sequences(visible, scores); ++b) {
    // One query more sees each key from where its range begins, one less from where it ends.
    std::vector<std::int64_t> change(static_cast<std::size_t>(keys) + 2);
    const auto add_range = [&](std::int64_t from, std::int64_t to, std::int64_t queries_more) {
      change[static_cast<std::size_t>(from)] += queries_more;
      change[static_cast<std::size_t>(to)] -= queries_more;
    };
    for (std::int64_t i = 0; i < queries; ++i) {
      const KeyRange range = range_of(visible, b, i, scores);
      add_range(range.first, range.last, 1);
      if (hides_own(visible, i, range)) add_range(i + *visible.own, i + *visible.own + 1, -1);
    }
    std::int64_t seeing = 0;
    for (std::int64_t j = 0; j < keys; ++j) seen.push_back((seeing += change[static_cast<std::size_t>(j)]) > 0);
  }
  return tensor(seen, beside(visible, scores, 1, keys), dtype);
}

Tensor seeing_queries(const Visible& visible, const Shape& scores, DType dtype) {
  if (visible.keep.defined()) {
    const Tensor table = visible_table(visible, scores, dtype);
    return table.numel() == 0 ? table : max(table, -1, keepdim);
  }
  if (visible.is_everything()) return ones({1, 1}, dtype);
  std::vector<double> sees;
  for (std::int64_t b = 0; b < sequences(visible, scores); ++b)
    for (std::int64_t i = 0; i < scores.back(2); ++i) {
      const KeyRange range = range_of(visible, b, i, scores);
      sees.push_back(range.last - range.first > (hides_own(visible, i, range) ? 1 : 0));
    }
  return tensor(sees, beside(visible, scores, scores.back(2), 1), dtype);
}

}  // namespace regard
