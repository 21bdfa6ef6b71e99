// A mask, worked out for scores of one shape; and what it says of rows.
#include "nn/attention/masks/mask_resolve.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/view.h"
#include "nn/attention/masks/mask_axes.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <limits>

namespace regard::nn {
namespace {

constexpr double hidden = -std::numeric_limits<double>::infinity();

Tensor unless_all(const Tensor& marks) { return marks.numel() == 0 || min(marks).item() == 1 ? Tensor() : marks; }

bool hides_any(const Variable& bias) { return bias.numel() > 0 && min(bias.value()).item() == hidden; }

// What two ranges have in common.
KeyRange both(const KeyRange& a, const KeyRange& b) { return {std::max(a.first, b.first), std::min(a.last, b.last)}; }

}  // namespace

// Of each sequence and query what all ranges have in common. None, where that is all keys: as in decoding.
void Mask::set_ranges(Visible& visible, const Shape& scores, std::int64_t offset) const {
  std::vector<std::pair<const Ranges*, std::int64_t>> rules;  // with their offsets
  for (const Part& part : parts_)
    if (const auto* ranges = std::get_if<Ranges>(part.rule.get())) {
      if (ranges->require_fit) ranges->require_fit(scores);
      visible.per_sequence = visible.per_sequence || ranges->require_fit;
      rules.emplace_back(ranges, part.offset + offset);
    }
  if (rules.empty()) return;
  bool hides = false;
  for (std::int64_t b = 0; b < (visible.per_sequence ? scores[0] : 1); ++b)
    for (std::int64_t i = 0; i < scores.back(2); ++i) {
      KeyRange common{0, std::numeric_limits<std::int64_t>::max()};
      for (const auto& [ranges, position] : rules) {
        const KeyRange keys = ranges->row_of(b, i, position).keys;
        common = both(common, keys);
        if (ranges->are_documents) visible.begins.push_back(keys.first);
      }
      hides = hides || common.first > 0 || common.last < scores.back();
      visible.ranges.push_back(common);
    }
  if (visible.begins.size() > visible.ranges.size())
    fail<ValueError>("Mask::documents: it is given twice; one list of ids says which document is whose");
  if (hides) return;
  visible.ranges.clear();
  visible.begins.clear();
  visible.per_sequence = false;
}

Visible Mask::visible(const Shape& scores, DType dtype, std::int64_t offset) const {
  Visible visible;
  const auto hide = [&](const Tensor& table) {
    visible.keep = visible.keep.defined() ? multiply(visible.keep, table) : table;
  };
  for (const auto& [name, rule, own_offset] : parts_) {
    const std::int64_t position = own_offset + offset;
    if (const auto* table = std::get_if<Table>(rule.get())) hide((*table)(scores, dtype, position));
    if (const auto* bias = std::get_if<Bias>(rule.get())) {
      mask_axes::require_fit("bias", bias->numbers.shape(), scores, bias->axes);
      if (hides_any(bias->numbers))
        hide(to(mask_axes::aligned(not_equal(bias->numbers.value(), hidden), scores, bias->axes), dtype));
    }
    if (std::holds_alternative<NotOwn>(*rule)) {
      if (visible.own)
        hide(visible_table({.own = position}, scores, dtype));
      else
        visible.own = position;
    }
  }
  set_ranges(visible, scores, offset);
  return visible;
}

Variable Mask::sum_of_biases(const Shape& scores, DType dtype) const {
  Variable sum;
  for (const Part& part : parts_) {
    const auto* one = std::get_if<Bias>(part.rule.get());
    if (!one) continue;
    const Variable& numbers = one->numbers;
    if (numbers.dtype() != dtype)
      fail<DTypeError>("Mask::bias: it is {}, and the scores are {}", numbers.dtype(), dtype);
    const Variable finite = hides_any(numbers) ? where(not_equal(numbers.value(), hidden), numbers, 0.0) : numbers;
    const Variable bias = mask_axes::aligned(finite, scores, one->axes);
    sum = sum.defined() ? sum + bias : bias;
  }
  return sum;
}

Tensor real_queries(const Mask& mask, const Variable& x, std::int64_t offset) {
  const std::int64_t sequences = x.rank() > 2 ? x.size(0) : 1, queries = x.size(-2);
  std::vector<double> marks(static_cast<std::size_t>(sequences * queries), 1);
  for (const auto& part : mask.parts_) {
    const auto* ranges = std::get_if<Mask::Ranges>(part.rule.get());
    if (!ranges || !ranges->require_fit) continue;
    ranges->require_fit({sequences, queries, queries});
    for (std::int64_t n = 0; n < sequences * queries; ++n)
      if (!ranges->row_of(n / queries, n % queries, part.offset + offset).is_real)
        marks[static_cast<std::size_t>(n)] = 0;
  }
  return unless_all(tensor(marks, {sequences, queries, 1}, x.dtype()));
}

bool each_real_query_sees(const Mask& mask, const Variable& x, std::int64_t offset, const RangeFits& fits) {
  const std::int64_t sequences = x.rank() > 2 ? x.size(0) : 1, queries = x.size(-2), keys = offset + queries;
  const Tensor is_real = real_queries(mask, x, offset);
  const auto [visible, bias, seen, seeing] = mask.resolve({sequences, 1, queries, keys}, x.dtype(), offset);
  if (visible.keep.defined() || visible.own || bias.defined()) return false;
  for (std::int64_t b = 0; b < sequences; ++b)
    for (std::int64_t i = 0; i < queries; ++i) {
      if (is_real.defined() && is_real.at({b, i, 0}) == 0) continue;
      const auto row = static_cast<std::size_t>(visible.per_sequence ? b * queries + i : i);
      const KeyRange all{0, keys};
      if (!fits(b, i, visible.ranges.empty() ? all : both(visible.ranges[row], all))) return false;
    }
  return true;
}

ResolvedMask Mask::resolve(const Shape& scores, DType dtype, std::int64_t offset) const {
  ResolvedMask resolved{visible(scores, dtype, offset), sum_of_biases(scores, dtype)};
  if (resolved.visible.is_everything()) return resolved;
  Visible visible = resolved.visible;
  if (visible.keep.defined()) visible = {.keep = visible_table(visible, scores, dtype)};  // once for both
  resolved.seen = unless_all(seen_keys(visible, scores, dtype));
  resolved.seeing = unless_all(seeing_queries(visible, scores, dtype));
  return resolved;
}

Tensor Mask::table(const Shape& scores, DType dtype) const {
  return visible_table(visible(scores, dtype, 0), scores, dtype);
}

}  // namespace regard::nn
