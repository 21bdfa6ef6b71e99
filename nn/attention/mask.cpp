#include "nn/attention/mask.h"

#include "autograd/ops/arithmetic.h"
#include "nn/attention/masks/mask_axes.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"

#include <algorithm>
#include <limits>

namespace regard::nn {

using namespace mask_axes;

namespace {

constexpr std::int64_t no_end = std::numeric_limits<std::int64_t>::max();

// What is checked to be 0 or 1. A condition that forgot to compare, |i − j| in place of |i − j| < 3, is found there; to
// check all of a large mask would take as long as attention itself.
Tensor corner_of(Tensor marks) {
  for (int axis = std::max(0, marks.rank() - 2); axis < marks.rank(); ++axis)
    marks = slice(marks, axis, 0, std::min<std::int64_t>(marks.size(axis), 64));
  return marks;
}

Tensor positions(std::int64_t count, std::int64_t offset, DType dtype) {
  return add(arange(count, dtype), static_cast<double>(offset));
}

Tensor as_tensor(std::initializer_list<std::int64_t> numbers) {
  return tensor(std::vector<double>(numbers.begin(), numbers.end()), {std::ssize(numbers)}, DType::i64);
}

std::int64_t integer_at(const Tensor& x, std::initializer_list<std::int64_t> index) {
  return static_cast<std::int64_t>(x.at(index));
}

// Lengths (B) or (B, Lq) for scores (B, …, Lq, Lk).
void require_lengths_fit(const Shape& lengths, const Shape& scores) {
  const bool per_query = lengths.rank() == 2;
  if (scores.rank() >= 3 && lengths[0] == scores[0] && (!per_query || lengths[1] == scores.back(2))) return;
  fail<ShapeError>("Mask::valid_lengths: {} does not fit queries {}: it must be (B) or (B, Lq)", lengths,
                   scores.without(-1));
}

void require_not_negative(const char* name, const Tensor& numbers, const char* what) {
  for (const double number : to_vector(numbers))
    if (number < 0) fail<ValueError>("Mask::{}: {} {}: it must be 0 or more", name, what, number);
}

}  // namespace

Mask::Mask(std::string name, Rule rule) : parts_{{std::move(name), std::make_shared<const Rule>(std::move(rule)), 0}} {}

Mask Mask::by_position(const std::string& name, Condition sees) {
  return {name, Table{[name, sees = std::move(sees)](const Shape& scores, DType dtype, std::int64_t offset) {
            Tensor marks = sees(unsqueeze(positions(scores.back(2), offset, dtype), 1),
                                unsqueeze(positions(scores.back(), 0, dtype), 0));
            while (marks.rank() < 2) marks = unsqueeze(marks, 0);  // the same for all queries, or for all pairs
            require_fit(name, marks.shape(), scores,
                        marks.rank() == scores.rank() ? MaskAxes::as_scores : MaskAxes::per_pair);
            require_marks(name, corner_of(marks));
            return to(marks, dtype);
          }}};
}

Mask Mask::by_range(const std::string& name, Range range) {
  return {name, Ranges{[range = std::move(range)](std::int64_t, std::int64_t query, std::int64_t offset) {
            return Row{range(query + offset)};
          }}};
}

// book: causal
Mask Mask::causal(std::int64_t offset) {
  return by_range("causal", [](std::int64_t query) { return KeyRange{0, query + 1}; }).at(offset);
}
// book: /causal

Mask Mask::others() { return {"others", NotOwn{}}; }

Mask Mask::valid_lengths(const Tensor& lengths) {
  require_indexes("Mask::valid_lengths", lengths);
  if (lengths.rank() != 1 && lengths.rank() != 2)
    fail<ShapeError>("Mask::valid_lengths: {}: it must be (B) or (B, Lq)", lengths.shape());
  require_not_negative("valid_lengths", lengths, "a length is");
  const auto row_of = [lengths, per_query = lengths.rank() == 2](std::int64_t sequence, std::int64_t query,
                                                                 std::int64_t offset) {
    const std::int64_t length = per_query ? integer_at(lengths, {sequence, query}) : integer_at(lengths, {sequence});
    return Row{{0, length}, per_query ? length > 0 : query + offset < length};
  };
  return {fmt::format("valid_lengths {}", lengths),
          Ranges{row_of, [shape = lengths.shape()](const Shape& scores) { require_lengths_fit(shape, scores); }}};
}

Mask Mask::valid_lengths(std::initializer_list<std::int64_t> lengths) { return valid_lengths(as_tensor(lengths)); }

Mask Mask::valid_from(const Tensor& begins) {
  require_indexes("Mask::valid_from", begins);
  if (begins.rank() != 1) fail<ShapeError>("Mask::valid_from: {}: it must be (B)", begins.shape());
  require_not_negative("valid_from", begins, "a sequence begins at");
  const auto row_of = [begins](std::int64_t sequence, std::int64_t query, std::int64_t offset) {
    const std::int64_t begin = integer_at(begins, {sequence});
    return Row{{begin, no_end}, query + offset >= begin};
  };
  return {fmt::format("valid_from {}", begins),
          Ranges{row_of, [shape = begins.shape()](const Shape& scores) {
                   if (scores.rank() < 3 || shape[0] != scores[0])
                     fail<ShapeError>("Mask::valid_from: {} does not fit scores {}: it must be (B)", shape, scores);
                 }}};
}

Mask Mask::valid_from(std::initializer_list<std::int64_t> begins) { return valid_from(as_tensor(begins)); }

Mask Mask::of_marks(const char* name, const Tensor& marks, double visible, MaskAxes axes) {
  require_marks(name, marks);
  return {fmt::format("{} {}", name, marks.shape()), Table{[=](const Shape& scores, DType dtype, std::int64_t) {
            require_fit(name, marks.shape(), scores, axes);
            return to(equal(aligned(marks, scores, axes), visible), dtype);
          }}};
}

Mask Mask::keep(const Tensor& visible, MaskAxes axes) { return of_marks("keep", visible, 1, axes); }
Mask Mask::drop(const Tensor& hidden, MaskAxes axes) { return of_marks("drop", hidden, 0, axes); }

Mask Mask::bias(const Variable& scores, MaskAxes axes) {
  if (!is_float(scores.dtype())) fail<DTypeError>("Mask::bias: it is {}: it must be f32 or f64", scores.dtype());
  return {fmt::format("bias {}", scores.shape()), Bias{scores, axes}};
}

Mask Mask::at(std::int64_t offset) const {
  Mask later = *this;
  for (Part& part : later.parts_) part.offset += offset;
  return later;
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
