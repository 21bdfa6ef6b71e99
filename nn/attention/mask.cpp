#include "nn/attention/mask.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/print.h"
#include "tensor/view.h"

#include <algorithm>
#include <limits>

namespace regard::nn {
namespace {

// The shape of marks with their axes where the scores have them: (B, Lk) → (B, 1, Lk), and beside heads (B, 1, 1, Lk).
Shape beside_scores(Shape marks, MaskAxes axes, const Shape& scores) {
  if (axes != MaskAxes::per_batch && axes != MaskAxes::per_head) return marks;
  if (marks.rank() == 2) marks.insert(1, 1);
  if (axes == MaskAxes::per_batch && scores.rank() == 4 && marks.rank() == 3) marks.insert(1, 1);
  return marks;
}

template <class T>  // of Tensors and Variables alike
T aligned(const T& x, const Shape& scores, MaskAxes axes) {
  const Shape placed = beside_scores(x.shape(), axes, scores);
  return placed == x.shape() ? x : reshape(x, placed);
}

struct AxesRule {
  int least, most;     // how many axes marks may have
  int of_scores;       // how many the scores must have
  const char* wanted;  // in words
};
AxesRule rule_of(MaskAxes axes, const Shape& scores) {
  switch (axes) {
    case MaskAxes::per_pair: return {2, 2, 2, "(Lq, Lk)"};
    case MaskAxes::per_batch: return {2, 3, 3, "(B, Lk) or (B, Lq, Lk)"};
    case MaskAxes::per_head: return {2, 3, 4, "(H, Lk) or (H, Lq, Lk), beside scores (B, H, Lq, Lk)"};
    case MaskAxes::as_scores: break;
  }
  return {2, scores.rank(), 2, "(Lq, Lk), or have the axes of the scores ((B, Lk) is MaskAxes::per_batch)"};
}

// Marks that can be read in two ways are refused until the call says which is meant.
void require_one_meaning(const std::string& name, const Shape& marks, const Shape& scores) {
  if (marks.rank() == 3 && scores.rank() == 4 && marks[0] != 1)
    fail<ShapeError>(
        "Mask::{}: {} beside scores {}: its first axis could be the batch or the heads. Say which: Mask::{}(…, "
        "MaskAxes::per_batch) or MaskAxes::per_head",
        name, marks, scores, name);
  const bool is_square = scores.rank() >= 3 && scores[0] == scores.back(2) && scores[0] > 1;
  if (marks.rank() == 2 && is_square && marks[0] == scores[0])
    fail<ShapeError>(
        "Mask::{}: {} beside scores {}: its first axis could be the queries or the batch. Say which: Mask::{}(…, "
        "MaskAxes::per_pair) or MaskAxes::per_batch",
        name, marks, scores, name);
}

void require_fit(const std::string& name, const Shape& marks, const Shape& scores, MaskAxes axes) {
  const AxesRule rule = rule_of(axes, scores);
  const Shape placed = beside_scores(marks, axes, scores);
  bool fits = marks.rank() >= rule.least && marks.rank() <= rule.most && scores.rank() >= rule.of_scores;
  for (int i = 1; fits && i <= placed.rank(); ++i) fits = placed.back(i) == 1 || placed.back(i) == scores.back(i);
  if (!fits) fail<ShapeError>("Mask::{}: {} does not fit scores {}: it must be {}", name, marks, scores, rule.wanted);
  if (axes == MaskAxes::as_scores) require_one_meaning(name, marks, scores);
}

void require_marks(const std::string& name, const Tensor& marks) {
  const Tensor either = maximum(equal(marks, 0.0), equal(marks, 1.0));
  if (marks.numel() == 0 || min(either).item() == 1) return;
  for (const double mark : to_vector(marks))
    if (mark != 0 && mark != 1)
      fail<ValueError>("Mask::{}: it holds {}, which is neither 0 nor 1 (numbers to add to scores: Mask::bias)", name,
                       mark);
}

// Whoever forgets to compare, |i − j| for |i − j| < 3, is found out there; all of a large mask would take as long to
// look at as attention itself.
Tensor corner_of(Tensor marks) {
  for (int axis = std::max(0, marks.rank() - 2); axis < marks.rank(); ++axis)
    marks = slice(marks, axis, 0, std::min<std::int64_t>(marks.size(axis), 64));
  return marks;
}

Tensor positions(std::int64_t count, std::int64_t offset, DType dtype) {
  return add(arange(count, dtype), static_cast<double>(offset));
}

Tensor as_tensor(std::initializer_list<std::int64_t> numbers) {
  return tensor(std::vector<double>(numbers.begin(), numbers.end()), {static_cast<std::int64_t>(numbers.size())},
                DType::i64);
}

std::int64_t integer_at(const Tensor& x, std::initializer_list<std::int64_t> place) {
  return static_cast<std::int64_t>(x.at(place));
}

// Lengths (B) or (B, Lq) for scores (B, …, Lq, Lk).
void require_lengths_fit(const Shape& lengths, const Shape& scores) {
  const bool per_query = lengths.rank() == 2;
  if (scores.rank() >= 3 && lengths[0] == scores[0] && (!per_query || lengths[1] == scores.back(2))) return;
  Shape queries = scores;
  queries.erase(scores.rank() - 1);
  fail<ShapeError>("Mask::valid_lengths: {} does not fit queries {}: it must be (B) or (B, Lq)", lengths, queries);
}

Tensor unless_all(const Tensor& marks) { return marks.numel() == 0 || min(marks).item() == 1 ? Tensor() : marks; }

Tensor is_possible(const Variable& bias) { return not_equal(bias, -std::numeric_limits<double>::infinity()); }

}  // namespace

Mask Mask::by_position(const std::string& name, Condition sees) {
  return Mask({.name = name, .table = [name, sees = std::move(sees)](const Shape& scores, DType dtype, auto offset) {
                 Tensor marks = sees(unsqueeze(positions(scores.back(2), offset, dtype), 1),
                                     unsqueeze(positions(scores.back(), 0, dtype), 0));
                 while (marks.rank() < 2) marks = unsqueeze(marks, 0);  // the same for all queries, or for all pairs
                 require_fit(name, marks.shape(), scores,
                             marks.rank() == scores.rank() ? MaskAxes::as_scores : MaskAxes::per_pair);
                 require_marks(name, corner_of(marks));
                 return to(marks, dtype);
               }});
}

Mask Mask::by_range(const std::string& name, Range range) {
  return Mask({.name = name, .range = [range = std::move(range)](auto, std::int64_t query, std::int64_t offset) {
                 return range(query + offset);
               }});
}

// book: causal
Mask Mask::causal(std::int64_t offset) {
  return by_range("causal", [](std::int64_t query) { return KeyRange{0, query + 1}; }).at(offset);
}
// book: /causal

Mask Mask::others() {
  Mask mask = by_position("others", [](const Tensor& query, const Tensor& key) { return not_equal(key, query); });
  mask.parts_[0].hides_own = true;
  return mask;
}

Mask Mask::valid_lengths(const Tensor& lengths) {
  require_indexes("Mask::valid_lengths", lengths);
  if (lengths.rank() != 1 && lengths.rank() != 2)
    fail<ShapeError>("Mask::valid_lengths: {}: it must be (B) or (B, Lq)", lengths.shape());
  for (const double length : to_vector(lengths))
    if (length < 0) fail<ValueError>("Mask::valid_lengths: a length is {}: it must be 0 or more", length);
  const auto length_of = [lengths, per_query = lengths.rank() == 2](std::int64_t sequence, std::int64_t query) {
    return per_query ? integer_at(lengths, {sequence, query}) : integer_at(lengths, {sequence});
  };
  return Mask({.name = fmt::format("valid_lengths {}", lengths),
               .range =
                   [=](auto sequence, auto query, auto) {
                     return KeyRange{0, length_of(sequence, query)};
                   },
               .require_fit = [shape = lengths.shape()](const Shape& scores) { require_lengths_fit(shape, scores); },
               .is_real =
                   [=, per_query = lengths.rank() == 2](auto sequence, auto query, auto offset) {
                     return per_query ? length_of(sequence, query) > 0 : query + offset < length_of(sequence, query);
                   }});
}

Mask Mask::valid_lengths(std::initializer_list<std::int64_t> lengths) { return valid_lengths(as_tensor(lengths)); }

Mask Mask::valid_from(const Tensor& begins) {
  require_indexes("Mask::valid_from", begins);
  if (begins.rank() != 1) fail<ShapeError>("Mask::valid_from: {}: it must be (B)", begins.shape());
  for (const double begin : to_vector(begins))
    if (begin < 0) fail<ValueError>("Mask::valid_from: a sequence begins at {}: it must be 0 or more", begin);
  const auto require_fit = [shape = begins.shape()](const Shape& scores) {
    if (scores.rank() < 3 || shape[0] != scores[0])
      fail<ShapeError>("Mask::valid_from: {} does not fit scores {}: it must be (B)", shape, scores);
  };
  return Mask({.name = fmt::format("valid_from {}", begins),
               .range =
                   [=](auto sequence, auto, auto) {
                     return KeyRange{integer_at(begins, {sequence}), std::numeric_limits<std::int64_t>::max()};
                   },
               .require_fit = require_fit,
               .is_real = [=](auto sequence, auto query,
                              auto offset) { return query + offset >= integer_at(begins, {sequence}); }});
}

Mask Mask::valid_from(std::initializer_list<std::int64_t> begins) { return valid_from(as_tensor(begins)); }

Mask Mask::of_marks(const char* name, const Tensor& marks, double visible, MaskAxes axes) {
  require_marks(name, marks);
  return Mask({.name = fmt::format("{} {}", name, marks.shape()), .table = [=](const Shape& scores, DType dtype, auto) {
                 require_fit(name, marks.shape(), scores, axes);
                 return to(equal(aligned(marks, scores, axes), visible), dtype);
               }});
}

Mask Mask::keep(const Tensor& visible, MaskAxes axes) { return of_marks("keep", visible, 1, axes); }
Mask Mask::drop(const Tensor& hidden, MaskAxes axes) { return of_marks("drop", hidden, 0, axes); }

Mask Mask::bias(const Variable& scores, MaskAxes axes) {
  if (!is_float(scores.dtype())) fail<DTypeError>("Mask::bias: it is {}: it must be f32 or f64", scores.dtype());
  return Mask({.name = fmt::format("bias {}", scores.shape()),
               .table =
                   [=](const Shape& shape, DType dtype, auto) {
                     require_fit("bias", scores.shape(), shape, axes);
                     return to(aligned(is_possible(scores), shape, axes), dtype);
                   },
               .bias = scores,
               .bias_axes = axes});
}

Mask Mask::at(std::int64_t offset) const {
  Mask later = *this;
  for (Part& part : later.parts_) part.offset += offset;
  return later;
}

Variable Mask::sum_of_biases(const Shape& scores, DType dtype) const {
  Variable sum;
  for (const Part& part : parts_) {
    if (!part.bias.defined()) continue;
    if (part.bias.dtype() != dtype)
      fail<DTypeError>("Mask::bias: it is {}, and the scores are {}", part.bias.dtype(), dtype);
    const Variable finite = where(is_possible(part.bias), part.bias, 0.0);
    const Variable bias = aligned(finite, scores, part.bias_axes);
    sum = sum.defined() ? sum + bias : bias;
  }
  return sum;
}

// What all ranges have in common, for the queries of each of so many sequences.
std::vector<KeyRange> Mask::ranges(const Shape& scores, std::int64_t sequences, std::int64_t offset) const {
  std::vector<KeyRange> all;
  for (std::int64_t b = 0; b < sequences; ++b)
    for (std::int64_t i = 0; i < scores.back(2); ++i) {
      KeyRange common{0, std::numeric_limits<std::int64_t>::max()};
      for (const Part& part : parts_) {
        if (!part.range) continue;
        const KeyRange one = part.range(b, i, part.offset + offset);
        common = {std::max(common.first, one.first), std::min(common.last, one.last)};
      }
      all.push_back(common);
    }
  return all;
}

Visible Mask::visible(const Shape& scores, DType dtype, std::int64_t offset) const {
  Visible visible;
  bool has_ranges = false;
  for (const Part& part : parts_) {
    if (part.require_fit) part.require_fit(scores);
    has_ranges = has_ranges || part.range;
    visible.per_sequence = visible.per_sequence || part.require_fit;
    if (part.range) continue;
    if (part.hides_own && !visible.own) {
      visible.own = part.offset + offset;
      continue;
    }
    const Tensor table = part.table(scores, dtype, part.offset + offset);
    visible.keep = visible.keep.defined() ? multiply(visible.keep, table) : table;
  }
  if (has_ranges) visible.ranges = ranges(scores, visible.per_sequence ? scores[0] : 1, offset);
  const auto is_whole = [&](const KeyRange& range) { return range.first <= 0 && range.last >= scores.back(); };
  if (std::all_of(visible.ranges.begin(), visible.ranges.end(), is_whole)) {  // as in decoding: nothing is hidden
    visible.ranges.clear();
    visible.per_sequence = false;
  }
  return visible;
}

Tensor Mask::real(std::int64_t sequences, std::int64_t queries, DType dtype, std::int64_t offset) const {
  const bool knows = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return bool(part.is_real); });
  if (!knows) return {};
  for (const Part& part : parts_)
    if (part.is_real) part.require_fit({sequences, queries, queries});
  std::vector<double> marks;
  bool all = true;
  for (std::int64_t b = 0; b < sequences; ++b)
    for (std::int64_t i = 0; i < queries; ++i) {
      const bool is_real = std::all_of(parts_.begin(), parts_.end(), [&](const Part& part) {
        return !part.is_real || part.is_real(b, i, part.offset + offset);
      });
      marks.push_back(is_real ? 1 : 0);
      all = all && is_real;
    }
  return all ? Tensor() : tensor(marks, {sequences, queries, 1}, dtype);
}

ResolvedMask Mask::resolve(const Shape& scores, DType dtype, std::int64_t offset) const {
  ResolvedMask resolved{visible(scores, dtype, offset), sum_of_biases(scores, dtype)};
  const bool has_table = resolved.visible.keep.defined();
  const Visible whole = has_table ? Visible{.keep = visible_table(resolved.visible, scores, dtype)} : Visible{};
  if (!resolved.visible.is_everything()) {
    resolved.seen = unless_all(seen_keys(has_table ? whole : resolved.visible, scores, dtype));
    resolved.seeing = unless_all(seeing_queries(has_table ? whole : resolved.visible, scores, dtype));
  }
  return resolved;
}

Tensor Mask::table(const Shape& scores, DType dtype) const {
  return visible_table(visible(scores, dtype, 0), scores, dtype);
}

std::string Mask::to_string() const {
  if (parts_.empty()) return "all";
  std::vector<std::string> names;
  for (const Part& part : parts_)
    names.push_back(part.offset == 0 ? part.name : fmt::format("{} at {}", part.name, part.offset));
  return join_words(names, " & ");
}

std::string Mask::picture(const Shape& scores) const {
  const std::int64_t keys = scores.back(), queries = scores.back(2);
  const Tensor keep = expand(table(scores), scores);
  std::string text;
  std::int64_t i = 0;
  for (const double kept : to_vector(keep)) {
    text += kept != 0 ? "■" : "·";
    ++i;
    if (i % keys == 0) text += '\n';
    if (i % (keys * queries) == 0 && i < keep.numel()) text += '\n';  // the next matrix of a batch
  }
  return text;
}

}  // namespace regard::nn

fmt::format_context::iterator fmt::formatter<regard::nn::Mask>::format(const regard::nn::Mask& mask,
                                                                       fmt::format_context& context) const {
  return write(mask.to_string(), context);
}
