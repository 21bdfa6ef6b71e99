#include "nn/tools/explain/explain.h"

#include "autograd/elements.h"
#include "autograd/state.h"
#include "tensor/ops/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace regard {

// The step: rounding of the loss, divided by it, and the bend of the loss, times its square, are about equally small.
MeasuredSlope measured_slope(const Variable& x, std::int64_t element, const std::function<Variable()>& loss) {
  if (!x.is_leaf()) fail<ValueError>("explain: only of a leaf can the slope be measured (leave options.again out)");
  const NoGrad nothing_is_recorded;
  Tensor& value = StateAccess::of(x).value;
  const Tensor before = value;
  const double step = (x.dtype() == DType::f64 ? 6e-6 : 5e-3) * std::max(1.0, std::abs(element_of(before, element)));
  const auto at = [&](double moved) {
    value = before + only(before, element, moved);
    const auto put_back = [&](const Tensor*) { value = before; };
    const std::unique_ptr<const Tensor, decltype(put_back)> whatever_happens(&before, put_back);
    return std::pair(element_of(value, element), loss().item());
  };
  const auto [low, loss_low] = at(-step);
  const auto [here, loss_here] = at(0);
  const auto [high, loss_high] = at(step);
  const double left = (loss_here - loss_low) / (here - low), right = (loss_high - loss_here) / (high - here);
  const double slope = (loss_high - loss_low) / (high - low);
  const double rounding = 30 * (x.dtype() == DType::f64 ? 0x1p-52 : 0x1p-23) * std::abs(loss_here);
  // Shorter steps give other slopes where the loss bends more than a parabola, or is a difference of large numbers.
  double by_steps = 0;
  for (const double part : {2, 3, 4}) {
    const auto [from, loss_from] = at(-step / part);
    const auto [to, loss_to] = at(step / part);
    by_steps = std::max(by_steps, std::abs((loss_to - loss_from) / (to - from) - slope));
  }
  return {slope, std::abs(right - left) / 2 + rounding / step + 2 * by_steps};
}

}  // namespace regard
