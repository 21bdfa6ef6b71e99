#pragma once

#include "tensor/tensor.h"

#include <initializer_list>

namespace regard {

// Which axes a reduction runs over: sum(x) over all, sum(x, 1), sum(x, {0, −1}).
class ReducedAxes {
 public:
  ReducedAxes() = default;                             // every axis
  ReducedAxes(int axis) : axes_{axis}, all_(false) {}  // NOLINT: implicit
  ReducedAxes(std::initializer_list<int> axes) : axes_(axes.begin(), axes.end()), all_(false) {}
  explicit ReducedAxes(std::vector<int> axes) : axes_(std::move(axes)), all_(false) {}

  // marks[i] is 1 where axis i of the shape is reduced. Throws for an axis that is outside or named twice.
  Shape marks(const char* operation, const Shape& shape) const;

 private:
  std::vector<int> axes_;
  bool all_ = true;
};

enum class KeepDim : bool { no, yes };
inline constexpr KeepDim keepdim = KeepDim::yes;  // sum(x, 1, keepdim): (2, 3) → (2, 1) instead of (2)

// The shape after a reduction, and how many elements fall onto each element of it.
Shape reduced_shape(const Shape& shape, const Shape& marks, KeepDim keep);
std::int64_t reduced_count(const char* operation, const Shape& shape, const ReducedAxes& axes);

// Sums are cascades of small blocks: the error grows with log n, not n. NaN in, NaN out, for each of them.
Tensor sum(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Tensor prod(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);  // Π x; of nothing it is 1
Tensor mean(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Tensor max(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Tensor min(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);

// Σ (x − mean)² / (n − correction): 0 divides by n (the biased variance, which norms use), 1 by n − 1.
Tensor var(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no, int correction = 0);

// log Σ eˣ, without overflow: max + log Σ e^(x − max).
Tensor logsumexp(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);

// The index (i64) of the largest or smallest element along one axis: the first of equals. NaN counts as the largest
// for argmax and as the smallest for argmin, so that both find it.
Tensor argmax(const Tensor& x, int axis, KeepDim keep = KeepDim::no);
Tensor argmin(const Tensor& x, int axis, KeepDim keep = KeepDim::no);

// 1 where all elements, or any, are not 0, in the dtype of x. Of no elements, all hold and none does.
Tensor all(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);
Tensor any(const Tensor& x, const ReducedAxes& axes = {}, KeepDim keep = KeepDim::no);

// Whether no element is NaN or infinite.
bool all_finite(const Tensor& x);

// Sums x down to `shape`, from which it was broadcast: the reverse of expand.
Tensor sum_to(const Tensor& x, const Shape& shape);
ReducedAxes broadcast_axes(const Shape& wide,
                           const Shape& narrow);  // the axes along which `narrow` is repeated in `wide`

}  // namespace regard
