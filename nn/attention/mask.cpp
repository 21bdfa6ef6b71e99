#include "nn/attention/mask.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/create.h"
#include "tensor/print.h"
#include "tensor/ops/reduce.h"
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

// Whoever forgets to compare, |i − j| for |i − j| < 3, is found out there; all of a large mask would take as long to look at
// as attention itself.
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

// 1 where a key's position is less than the length of its sequence, for lengths (B) or (B, Lq).
Tensor shorter_than(const Tensor& lengths, const Shape& scores, DType dtype) {
  const bool per_query = lengths.rank() == 2;
  if (scores.rank() < 3 || lengths.size(0) != scores[0] || (per_query && lengths.size(1) != scores.back(2))) {
    Shape queries = scores;
    queries.erase(scores.rank() - 1);
    fail<ShapeError>("Mask::valid_lengths: {} does not fit queries {}: it must be (B) or (B, Lq)", lengths.shape(),
                     queries);
  }
  Shape shape = Shape::filled(scores.rank(), 1);
  shape[0] = scores[0];
  if (per_query) shape[scores.rank() - 2] = scores.back(2);
  return less(arange(scores.back(), dtype), reshape(to(lengths, dtype), shape));
}

Tensor is_possible(const Variable& bias) { return not_equal(bias, -std::numeric_limits<double>::infinity()); }

}  // namespace

Mask Mask::by_position(const std::string& name, Condition sees, Range range) {
  Part part{name, [name, sees = std::move(sees)](const Shape& scores, DType dtype, std::int64_t offset) {
              const Tensor marks = sees(unsqueeze(positions(scores.back(2), offset, dtype), 1),
                                        unsqueeze(positions(scores.back(), 0, dtype), 0));
              require_marks(name, corner_of(marks));
              return marks;
            }};
  if (range)
    part.range = [range = std::move(range)](std::int64_t, std::int64_t query, std::int64_t offset) {
      return range(query + offset);
    };
  return Mask(std::move(part));
}

Mask Mask::causal(std::int64_t offset) {
  return by_position(
             "causal", [](const Tensor& query, const Tensor& key) { return less_equal(key, query); },
             [](std::int64_t query) {
               return KeyRange{0, query + 1};
             })
      .at(offset);
}

Mask Mask::others() {
  Mask mask = by_position("others", [](const Tensor& query, const Tensor& key) { return not_equal(key, query); });
  mask.parts_[0].not_itself = true;
  return mask;
}

Mask Mask::valid_lengths(const Tensor& lengths) {
  require_indexes("Mask::valid_lengths", lengths);
  if (lengths.rank() != 1 && lengths.rank() != 2)
    fail<ShapeError>("Mask::valid_lengths: {}: it must be (B) or (B, Lq)", lengths.shape());
  for (const double length : to_vector(lengths))
    if (length < 0) fail<ValueError>("Mask::valid_lengths: a length is {}: it must be 0 or more", length);
  Part part{fmt::format("valid_lengths {}", lengths),
            [lengths](const Shape& scores, DType dtype, std::int64_t) { return shorter_than(lengths, scores, dtype); }};
  part.per_sequence = true;
  part.range = [lengths](std::int64_t sequence, std::int64_t query, std::int64_t) {
    const double length = lengths.rank() == 2 ? lengths.at({sequence, query}) : lengths.at({sequence});
    return KeyRange{0, static_cast<std::int64_t>(length)};
  };
  return Mask(std::move(part));
}

Mask Mask::valid_lengths(std::initializer_list<std::int64_t> lengths) {
  return valid_lengths(tensor(std::vector<double>(lengths.begin(), lengths.end()),
                              {static_cast<std::int64_t>(lengths.size())}, DType::i64));
}

Mask Mask::of_tensor(const char* name, const Tensor& marks, double visible) {
  require_marks(name, marks);
  return Mask(Part{fmt::format("{} {}", name, marks.shape()), [=](const Shape& scores, DType dtype, std::int64_t) {
                     require_fit(name, marks.shape(), scores);
                     return to(equal(aligned(marks, scores), visible), dtype);
                   }});
}

Mask Mask::keep(const Tensor& visible) { return of_tensor("keep", visible, 1); }
Mask Mask::drop(const Tensor& hidden) { return of_tensor("drop", hidden, 0); }

Mask Mask::bias(const Variable& scores) {
  if (!is_float(scores.dtype())) fail<DTypeError>("Mask::bias: it is {}: it must be f32 or f64", scores.dtype());
  Mask mask(Part{fmt::format("bias {}", scores.shape()), [scores](const Shape& shape, DType dtype, std::int64_t) {
                   require_fit("bias", scores.shape(), shape);
                   return to(aligned(is_possible(scores), shape), dtype);
                 }});
  mask.parts_[0].bias = scores;
  return mask;
}

Mask Mask::at(std::int64_t offset) const {
  Mask later = *this;
  for (Part& part : later.parts_) part.offset += offset;
  return later;
}

Tensor Mask::keeping(const Shape& scores, DType dtype) const {
  Tensor keep = ones({1, 1}, dtype);
  for (const Part& part : parts_) keep = multiply(keep, part.keep(scores, dtype, part.offset));
  return keep;
}

Variable Mask::biases(const Shape& scores, DType dtype) const {
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

Allowed Mask::resolve(const Shape& scores, DType dtype) const {
  return {keeping(scores, dtype), biases(scores, dtype)};
}

KeyRange Mask::range_of(std::int64_t sequence, std::int64_t query) const {
  KeyRange all{0, std::numeric_limits<std::int64_t>::max()};
  for (const Part& part : parts_) {
    if (!part.range) continue;
    const KeyRange one = part.range(sequence, query, part.offset);
    all = {std::max(all.first, one.first), std::min(all.last, one.last)};
  }
  return all;
}

Mask::Seen Mask::see(const Shape& scores, DType dtype) const {
  Seen seen{{}, biases(scores, dtype)};
  Mask tables;
  bool has_ranges = false;
  Shape one_key = scores;
  one_key[scores.rank() - 1] = 1;
  for (const Part& part : parts_) {
    if (part.not_itself && !seen.sight.hidden)
      seen.sight.hidden = part.offset;
    else if (!part.range)
      tables.parts_.push_back(part);
    if (part.per_sequence) part.keep(one_key, dtype, part.offset);  // throws if it does not fit
    has_ranges = has_ranges || part.range;
    seen.sight.per_sequence = seen.sight.per_sequence || part.per_sequence;
  }
  if (!tables.parts_.empty()) seen.sight.keep = tables.keeping(scores, dtype);
  for (std::int64_t b = 0; has_ranges && b < (seen.sight.per_sequence ? scores[0] : 1); ++b)
    for (std::int64_t i = 0; i < scores.back(2); ++i) seen.sight.ranges.push_back(range_of(b, i));
  return seen;
}

Mask::Outline outline_of(const Tensor& keep) {
  if (keep.numel() == 0) return {keep, keep};
  return {max(keep, -2, keepdim), max(keep, -1, keepdim)};
}

Mask::Outline Mask::outline(const Shape& scores, DType dtype) const {
  const Sight sight = see(scores, dtype).sight;
  if (sight.keep.defined()) return outline_of(keeping(scores, dtype));
  if (sight.ranges.empty() && !sight.hidden) return {ones({1, 1}, dtype), ones({1, 1}, dtype)};
  const std::int64_t queries = scores.back(2), keys = scores.back();
  const std::int64_t sequences = sight.per_sequence ? scores[0] : 1;
  std::vector<double> seen, seeing;
  for (std::int64_t b = 0; b < sequences; ++b) {
    // One more sees each key from where a range begins, one less from where it ends.
    std::vector<double> change(static_cast<std::size_t>(keys) + 1);
    for (std::int64_t i = 0; i < queries; ++i) {
      const KeyRange range =
          sight.ranges.empty() ? KeyRange{0, keys} : sight.ranges[static_cast<std::size_t>(b * queries + i)];
      const std::int64_t first = std::clamp<std::int64_t>(range.first, 0, keys);
      const std::int64_t last = std::clamp(range.last, first, keys);
      ++change[static_cast<std::size_t>(first)];
      --change[static_cast<std::size_t>(last)];
      const std::int64_t hidden = i + sight.hidden.value_or(0);
      const bool hides_one = sight.hidden && first <= hidden && hidden < last;
      if (hides_one) --change[static_cast<std::size_t>(hidden)], ++change[static_cast<std::size_t>(hidden) + 1];
      seeing.push_back(last - first > (hides_one ? 1 : 0));
    }
    double now = 0;
    for (std::int64_t j = 0; j < keys; ++j) seen.push_back((now += change[static_cast<std::size_t>(j)]) > 0);
  }
  Shape row = Shape::filled(scores.rank(), 1), column = row;
  row[scores.rank() - 1] = keys;
  column[scores.rank() - 2] = queries;
  if (sequences > 1) row[0] = column[0] = sequences;
  return {tensor(seen, row, dtype), tensor(seeing, column, dtype)};
}

std::string Mask::to_string() const {
  if (parts_.empty()) return "all";
  std::vector<std::string> names;
  for (const Part& part : parts_)
    names.push_back(part.offset == 0 ? part.name : fmt::format("{} at {}", part.name, part.offset));
  return fmt::format("{}", fmt::join(names, " & "));
}

std::string Mask::picture(const Shape& scores) const {
  const std::int64_t keys = scores.back(), queries = scores.back(2);
  const Tensor keep = expand(keeping(scores, DType::f32), scores);
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
  return fmt::formatter<std::string>::format(mask.to_string(), context);
}
