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
namespace {

struct Turns {
  Tensor cosine, sine;
};

// Of each position and pair, (…, P).
Turns turns_of(const Tensor& positions, std::int64_t pairs, double base, DType dtype) {
  std::vector<double> frequencies;
  for (std::int64_t j = 0; j < pairs; ++j)
    frequencies.push_back(std::pow(base, -static_cast<double>(j) / static_cast<double>(pairs)));
  const Tensor angles = unsqueeze(to(positions, DType::f64), -1) * tensor(frequencies, {pairs}, DType::f64);
  return {to(cos(angles), dtype), to(sin(angles), dtype)};
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

void require_base(double base) {
  if (!(base > 0 && std::isfinite(base)))
    fail<ValueError>("rotary positions: the base {} of the frequencies must be above 0; 10000 is usual", base);
}

// How many pairs of features are turned.
std::int64_t pairs_of(const Variable& x, const RotateOptions& o) {
  if (x.rank() < 2 || (o.features == 0 && x.size(-1) % 2 != 0))
    fail<ShapeError>("rotate: {}: it must be (…, L, D) with D even, since features are turned in pairs", x.shape());
  if (o.features < 0 || o.features > x.size(-1) || o.features % 2 != 0)
    fail<ValueError>("rotate: {} of {} features cannot be turned in pairs", o.features, x.size(-1));
  require_base(o.base);
  return (o.features == 0 ? x.size(-1) : o.features) / 2;
}

// Those of `count` positions from `offset` on. All layers of a model ask for the same, so this thread keeps those from
// position 0 on; where there are not enough, twice as many are made.
Turns turns_from(std::int64_t offset, std::int64_t count, std::int64_t pairs, double base, DType dtype) {
  if (offset < 0) return turns_of(arange(count) + static_cast<double>(offset), pairs, base, dtype);
  thread_local std::map<std::tuple<std::int64_t, double, DType>, Turns> kept;
  Turns& turns = kept[{pairs, base, dtype}];
  const std::int64_t end = offset + count;
  if (!turns.cosine.defined() || turns.cosine.size(0) < end)
    turns = turns_of(arange(std::max<std::int64_t>(2 * end, 64)), pairs, base, dtype);
  return {slice(turns.cosine, 0, offset, end), slice(turns.sine, 0, offset, end)};
}

Variable turn(const Variable& x, const Turns& by, RotaryLayout layout) {
  return rotate_pairs(x, by.cosine, by.sine,
                      layout == RotaryLayout::interleaved ? PairLayout::neighbours : PairLayout::halves);
}

}  // namespace

Variable rotate(const Variable& x, const Tensor& positions, const RotateOptions& o) {
  require_defined("rotate", x);
  const std::int64_t pairs = pairs_of(x, o);
  require_positions(x, positions);
  return turn(x, turns_of(positions, pairs, o.base, x.dtype()), o.layout);
}

Variable rotate(const Variable& x, std::int64_t offset, const RotateOptions& o) {
  require_defined("rotate", x);
  const std::int64_t pairs = pairs_of(x, o);
  return turn(x, turns_from(offset, x.size(-2), pairs, o.base, x.dtype()), o.layout);
}

Variable rotate(const Variable& x, std::int64_t offset, RotaryLayout layout, double base) {
  return rotate(x, offset, {.layout = layout, .base = base});
}

Rotary::Rotary(AnyScore score, const RotateOptions& o, Tensor at)
    : Modifier(std::move(score)), options(o), positions(std::move(at)) {
  require_base(options.base);
}

Variable Rotary::turned(const Variable& x, std::int64_t position) const {
  if (!positions.defined()) return rotate(x, position, options);
  const std::int64_t end = position + x.size(-2);
  if (positions.rank() < 1 || positions.size(-1) < end)
    fail<ShapeError>("Rotary: positions {} for {} keys and queries: one is needed for each", positions.shape(), end);
  return rotate(x, slice(positions, -1, position, end), options);
}

}  // namespace regard::nn
