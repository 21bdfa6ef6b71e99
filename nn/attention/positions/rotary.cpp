#include "nn/attention/positions/rotary.h"

#include "autograd/fused/rotate_pairs.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace regard::nn {

RotaryFrequencies rotary::plain(std::int64_t pairs, double base) {
  if (pairs < 1) fail<ValueError>("rotary::plain: {} pairs: there must be one or more", pairs);
  if (!(base > 0 && std::isfinite(base)))
    fail<ValueError>("rotary positions: the base {} of the frequencies must be above 0; 10000 is usual", base);
  RotaryFrequencies frequencies;
  for (std::int64_t j = 0; j < pairs; ++j)
    frequencies.of_pairs.push_back(std::pow(base, -static_cast<double>(j) / static_cast<double>(pairs)));
  return frequencies;
}

namespace {

struct Turns {
  Tensor cosine, sine;
};

// Of each position and pair, (…, P).
Turns turns_of(const Tensor& positions, const RotaryFrequencies& by, DType dtype) {
  const auto pairs = static_cast<std::int64_t>(by.of_pairs.size());
  const Tensor angles = unsqueeze(to(positions, DType::f64), -1) * tensor(by.of_pairs, {pairs}, DType::f64);
  return {to(cos(angles) * by.times, dtype), to(sin(angles) * by.times, dtype)};
}

// (B, L) beside x (B, H, L, D) would be read as (H, L): all axes, or L alone.
void require_positions(const Variable& x, const Tensor& positions) {
  const Shape& of = positions.shape();
  bool fits = (of.rank() == 1 || of.rank() == x.rank() - 1) && of.back() == x.size(-2);
  for (int i = 2; fits && i <= of.rank(); ++i) fits = of.back(i) == 1 || of.back(i) == x.shape().back(i + 1);
  if (!fits)
    fail<ShapeError>(
        "rotate: {}: positions {} are not (L), or all axes of it before D ((B, L) for all heads is (B, 1, L))",
        x.shape(), of);
}

// Of the pairs of features of x that are turned.
RotaryFrequencies frequencies_of(const Variable& x, const RotateOptions& o) {
  if (x.rank() < 2) fail<ShapeError>("rotate: {}: it must be (…, L, D)", x.shape());
  const bool are_given = !o.frequencies.of_pairs.empty();
  const std::int64_t given = are_given ? 2 * std::ssize(o.frequencies.of_pairs) : o.features;
  if (given == 0 && x.size(-1) % 2 != 0)
    fail<ShapeError>("rotate: {}: it must be (…, L, D) with D even, since features are turned in pairs", x.shape());
  if (given < 0 || given > x.size(-1) || given % 2 != 0)
    fail<ValueError>("rotate: {} of {} features cannot be turned in pairs", given, x.size(-1));
  return are_given ? o.frequencies : rotary::plain((given == 0 ? x.size(-1) : given) / 2, o.base);
}

// Those of `count` positions from `offset` on. All layers of a model ask for the same, so this thread keeps those from
// position 0 on; where there are not enough, twice as many are made.
Turns turns_from(std::int64_t offset, std::int64_t count, const RotaryFrequencies& by, DType dtype) {
  if (offset < 0) return turns_of(arange(count) + static_cast<double>(offset), by, dtype);
  thread_local std::map<std::tuple<std::vector<double>, double, DType>, Turns> kept;
  Turns& turns = kept[{by.of_pairs, by.times, dtype}];
  const std::int64_t end = offset + count;
  if (!turns.cosine.defined() || turns.cosine.size(0) < end)
    turns = turns_of(arange(std::max<std::int64_t>(2 * end, 64)), by, dtype);
  return {slice(turns.cosine, 0, offset, end), slice(turns.sine, 0, offset, end)};
}

}  // namespace

Variable rotate(const Variable& x, const Tensor& positions, const RotateOptions& o) {
  require_defined("rotate", x);
  const RotaryFrequencies frequencies = frequencies_of(x, o);
  require_positions(x, positions);
  const Turns by = turns_of(positions, frequencies, x.dtype());
  return rotate_pairs(x, by.cosine, by.sine, o.layout);
}

Variable rotate(const Variable& x, std::int64_t offset, const RotateOptions& o) {
  require_defined("rotate", x);
  const Turns by = turns_from(offset, x.size(-2), frequencies_of(x, o), x.dtype());
  return rotate_pairs(x, by.cosine, by.sine, o.layout);
}

Variable rotate(const Variable& x, std::int64_t offset, RotaryLayout layout, double base) {
  return rotate(x, offset, {.layout = layout, .base = base});
}

Rotary::Rotary(AnyScore score, const RotateOptions& o, Tensor at)
    : Modifier(std::move(score)), options(o), positions(std::move(at)) {
  rotary::plain(1, options.base);  // refuses a base that is none
}

Variable Rotary::turned(const Variable& x, std::int64_t position) const {
  if (!positions.defined()) return rotate(x, position, options);
  const std::int64_t end = position + x.size(-2);
  if (positions.rank() < 1 || positions.size(-1) < end)
    fail<ShapeError>("Rotary: positions {} for {} keys and queries: one is needed for each", positions.shape(), end);
  return rotate(x, slice(positions, -1, position, end), options);
}

}  // namespace regard::nn
