#include "tensor/fused/masked_softmax.h"

#include "tensor/loops/rows.h"
#include "tensor/loops/softmax_row.h"
#include "tensor/loops/walk.h"
#include "tensor/view.h"

namespace regard {
namespace {

// For every row of x: where it begins among the rows that are stored densely, and where its row of the mask is.
template <class Body>
void for_each_masked_row(const Shape& shape, const Tensor& keep, const Body& body) {
  const std::int64_t length = shape.back();
  const Shape rows = shape.without(-1);
  const loops::Walk<1> walk(rows, {loops::broadcast_strides(keep, shape).without(-1)});
  parallel_for(rows.numel(), items_of_a_task(length), [&](std::int64_t begin, std::int64_t end) {
    walk.run(begin, end, [&](std::int64_t row, const auto& offset, std::int64_t count) {
      for (std::int64_t i = 0; i < count; ++i) body((row + i) * length, offset[0] + i * walk.row_steps()[0]);
    });
  });
}

// The mask with the numbers of a row side by side, however its rows lie.
Tensor dense_rows(const Tensor& x, const Tensor& keep) {
  if (!keep.defined())
    fail<ValueError>(
        "masked_softmax: its argument keep is an undefined Tensor (1 keeps a place, 0 does not; ones({{}}) keeps all)");
  require_same_dtype("masked_softmax", x, keep);
  if (x.rank() == 0) fail<ShapeError>("masked_softmax: (): a single number has no row");
  if (broadcast("masked_softmax", x.shape(), keep.shape()) != x.shape())
    fail<ShapeError>("masked_softmax: keep {} does not broadcast to {}", keep.shape(), x.shape());
  const Shape shape = keep.rank() == 0 ? Shape{1} : keep.shape();
  return contiguous(expand(keep, shape.with(-1, x.shape().back())));
}

}  // namespace

Tensor masked_softmax(const Tensor& input, double factor, const Tensor& keep) {
  const Tensor mask = dense_rows(input, keep), x = contiguous(input);
  return dispatch_float("masked_softmax", x.dtype(), [&]<class T>(T) {
    Tensor result = empty(x.shape(), x.dtype());
    T* out = result.writable<T>();
    const T *in = x.data<T>(), *kept = mask.data<T>(), scale = static_cast<T>(factor);
    const std::int64_t length = x.shape().back();
    for_each_masked_row(x.shape(), mask, [=](std::int64_t begin, std::int64_t mask_begin) {
      loops::softmax_of_kept(out + begin, in + begin, scale, kept + mask_begin, length);
    });
    return result;
  });
}

Tensor masked_softmax_gradient(const Tensor& gradient, const Tensor& made, double factor, const Tensor& keep) {
  const Tensor mask = dense_rows(made, keep), g = contiguous(gradient), y = contiguous(made);
  return dispatch_float("masked_softmax", y.dtype(), [&]<class T>(T) {
    Tensor result = empty(y.shape(), y.dtype());
    T* out = result.writable<T>();
    const T *grads = g.data<T>(), *weights = y.data<T>(), *kept = mask.data<T>(), scale = static_cast<T>(factor);
    const std::int64_t length = y.shape().back();
    for_each_masked_row(y.shape(), mask, [=](std::int64_t begin, std::int64_t mask_begin) {
      const T *grad = grads + begin, *weight = weights + begin, *keeps = kept + mask_begin;
      T* to = out + begin;
      T mean = loops::sum_row<T>(length, [=](auto at) { return at(grad) * at(weight); });
      if (std::isfinite(mean)) {  // what is not kept has the weight 0, so no mask is needed
        const auto slope = [=]<class F>(F one, F w) { return w != F{} ? scale * w * (one - mean) : F{}; };
        loops::each(to, length, slope, grad, weight);
      } else {  // perhaps for 0·∞ where nothing is kept
        mean = loops::sum_row<T>(length, [=](auto at) {
          const auto share = at(grad) * at(weight);
          return at(keeps) != decltype(share){} ? share : decltype(share){};
        });
        const auto slope = [=]<class F>(F one, F w, F k) { return k != F{} ? scale * w * (one - mean) : F{}; };
        loops::each(to, length, slope, grad, weight, keeps);
      }
      loops::balance_winner(to, weight, length, T{0.5});
    });
    return result;
  });
}

}  // namespace regard
