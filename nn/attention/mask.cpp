#include "nn/attention/mask.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/print.h"
#include "tensor/view.h"

#include <limits>

namespace regard::nn {
namespace {

// Where an axis of heads belongs if a tensor for scores (B, H, Lq, Lk) has none: (B, Lq, Lk) → (B, 1, Lq, Lk).
bool lacks_heads(int rank, const Shape& scores) { return scores.rank() == 4 && rank == 3; }

void require_fit(const std::string& name, const Shape& shape, const Shape& scores) {
  const Shape at_heads = [&] {
    Shape full = shape;
    if (lacks_heads(full.rank(), scores)) full.insert(1, 1);
    return full;
  }();
  bool fits = shape.rank() >= 2 && at_heads.rank() <= scores.rank();
  for (int i = 1; fits && i <= at_heads.rank(); ++i) fits = at_heads.back(i) == 1 || at_heads.back(i) == scores.back(i);
  if (!fits)
    fail<ShapeError>("Mask::{}: {} does not fit scores {}: it must be (Lq, Lk), (B, Lq, Lk) or (B, H, Lq, Lk)", name,
                     shape, scores);
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

template <class T>  // of Tensors and Variables alike
T aligned(const T& x, const Shape& scores) {
  return lacks_heads(x.rank(), scores) ? unsqueeze(x, 1) : x;
}

Tensor positions(std::int64_t count, std::int64_t offset, DType dtype) {
  return add(arange(count, dtype), static_cast<double>(offset));
}

// Lengths (B) or (B, Lq) for scores (B, …, Lq, Lk).
void require_lengths_fit(const Shape& lengths, const Shape& scores) {
  const bool per_query = lengths.rank() == 2;
  if (scores.rank() >= 3 && lengths[0] == scores[0] && (!per_query || lengths[1] == scores.back(2))) return;
  Shape queries = scores;
  queries.erase(scores.rank() - 1);
  fail<ShapeError>("Mask::valid_lengths: {} does not fit queries {}: it must be (B) or (B, Lq)", lengths, queries);
}

Tensor is_possible(const Variable& bias) { return not_equal(bias, -std::numeric_limits<double>::infinity()); }

}  // namespace

Mask Mask::by_position(const std::string& name, Condition sees) {
  return Mask({.name = name, .table = [name, sees = std::move(sees)](const Shape& scores, DType dtype, auto offset) {
                 Tensor marks = sees(unsqueeze(positions(scores.back(2), offset, dtype), 1),
                                     unsqueeze(positions(scores.back(), 0, dtype), 0));
                 while (marks.rank() < 2) marks = unsqueeze(marks, 0);  // the same for all queries, or for all pairs
                 require_fit(name, marks.shape(), scores);
                 require_marks(name, corner_of(marks));
                 return to(aligned(marks, scores), dtype);
               }});
}

Mask Mask::by_range(const std::string& name, Range range) {
  return Mask({.name = name, .range = [range = std::move(range)](auto, std::int64_t query, std::int64_t offset) {
                 return range(query + offset);
               }});
}

Mask Mask::causal(std::int64_t offset) {
  return by_range("causal", [](std::int64_t query) { return KeyRange{0, query + 1}; }).at(offset);
}

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
  return Mask({.name = fmt::format("valid_lengths {}", lengths),
               .range =
                   [lengths](std::int64_t sequence, std::int64_t query, auto) {
                     const bool per_query = lengths.rank() == 2;
                     const double length = per_query ? lengths.at({sequence, query}) : lengths.at({sequence});
                     return KeyRange{0, static_cast<std::int64_t>(length)};
                   },
               .require_fit = [shape = lengths.shape()](const Shape& scores) { require_lengths_fit(shape, scores); }});
}

Mask Mask::valid_lengths(std::initializer_list<std::int64_t> lengths) {
  return valid_lengths(tensor(std::vector<double>(lengths.begin(), lengths.end()),
                              {static_cast<std::int64_t>(lengths.size())}, DType::i64));
}

Mask Mask::of_marks(const char* name, const Tensor& marks, double visible) {
  require_marks(name, marks);
  return Mask({.name = fmt::format("{} {}", name, marks.shape()), .table = [=](const Shape& scores, DType dtype, auto) {
                 require_fit(name, marks.shape(), scores);
                 return to(equal(aligned(marks, scores), visible), dtype);
               }});
}

Mask Mask::keep(const Tensor& visible) { return of_marks("keep", visible, 1); }
Mask Mask::drop(const Tensor& hidden) { return of_marks("drop", hidden, 0); }

Mask Mask::bias(const Variable& scores) {
  if (!is_float(scores.dtype())) fail<DTypeError>("Mask::bias: it is {}: it must be f32 or f64", scores.dtype());
  return Mask({.name = fmt::format("bias {}", scores.shape()),
               .table =
                   [scores](const Shape& shape, DType dtype, auto) {
                     require_fit("bias", scores.shape(), shape);
                     return to(aligned(is_possible(scores), shape), dtype);
                   },
               .bias = scores});
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
    const Variable finite = where(is_possible(part.bias), part.bias, Variable(zeros({}, dtype)));
    const Variable bias = aligned(finite, scores);
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
  return visible;
}

ResolvedMask Mask::resolve(const Shape& scores, DType dtype, std::int64_t offset) const {
  ResolvedMask resolved{visible(scores, dtype, offset), sum_of_biases(scores, dtype)};
  const bool has_table = resolved.visible.keep.defined();
  const Visible whole = has_table ? Visible{.keep = visible_table(resolved.visible, scores, dtype)} : Visible{};
  resolved.seen = seen_keys(has_table ? whole : resolved.visible, scores, dtype);
  resolved.seeing = seeing_queries(has_table ? whole : resolved.visible, scores, dtype);
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
