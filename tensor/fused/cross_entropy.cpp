#include "tensor/fused/cross_entropy.h"

#include "tensor/loops/rows.h"
#include "tensor/loops/softmax_row.h"
#include "tensor/ops/reduce.h"

namespace regard {
namespace {

using loops::Rows;

void require_classes(const Tensor& logits, const Tensor& classes, const CrossEntropyOptions& options) {
  require_indexes("cross_entropy", classes);
  if (logits.rank() != 2 || classes.shape() != Shape{logits.shape()[0]})
    fail<ShapeError>("cross_entropy: logits {} and classes {}: needs (N, V) and (N)", logits.shape(), classes.shape());
  if (!(options.label_smoothing >= 0 && options.label_smoothing <= 1))
    fail<ValueError>("cross_entropy: a label smoothing of {} is outside [0, 1]", options.label_smoothing);
  const Tensor& w = options.weight;
  if (w.defined() && w.shape() != Shape{logits.shape()[1]})
    fail<ShapeError>("cross_entropy: weights {} for the logits {}: needs one for each class, ({})", w.shape(),
                     logits.shape(), logits.shape()[1]);
  const std::int64_t* c = classes.data<std::int64_t>();
  for (std::int64_t row = 0; row < classes.numel(); ++row)
    if (c[row] != options.ignore && (c[row] < 0 || c[row] >= logits.shape()[1]))
      fail<ValueError>("cross_entropy: class {} of row {} is outside the {} classes of the logits", c[row], row,
                       logits.shape()[1]);
}

// The weights of the classes as the loops read them; undefined if all count alike.
Tensor weights_of(const CrossEntropyOptions& options, DType dtype) {
  return options.weight.defined() ? contiguous(to(options.weight, dtype)) : Tensor();
}

}  // namespace

CrossEntropyResult cross_entropy(const Tensor& logits, const Tensor& targets, const CrossEntropyOptions& options) {
  const Tensor x = contiguous(logits), classes = contiguous(targets);
  require_classes(x, classes, options);
  const Tensor weights = weights_of(options, x.dtype());
  return dispatch_float("cross_entropy", x.dtype(), [&]<class T>(T) {
    CrossEntropyResult made{empty(classes.shape(), x.dtype()), empty(classes.shape(), x.dtype()),
                            empty(classes.shape(), x.dtype())};
    const T* in = x.data<T>();
    const T* w = weights.defined() ? weights.data<T>() : nullptr;
    const std::int64_t* class_of = classes.data<std::int64_t>();
    T *losses = made.loss.writable<T>(), *maxima = made.largest.writable<T>(), *totals = made.total.writable<T>();
    const T smoothing = static_cast<T>(options.label_smoothing);
    const Rows rows{x.shape()[0], x.shape()[1]};
    loops::for_each_row(rows, [&](std::int64_t row) {
      const T* from = in + row * rows.length;
      const T largest = loops::largest_of(from, rows.length);
      const T total = loops::sum_of_powers(from, rows.length, largest);
      maxima[row] = largest;
      totals[row] = total;
      if (class_of[row] == options.ignore) {
        losses[row] = 0;
        return;
      }
      // log Σ eˣ − x as log Σ e^(x − max) + (max − x): small numbers, so nothing is lost for large x.
      const T log_total = std::log(total);
      T loss = (1 - smoothing) * (log_total + (largest - from[class_of[row]]));
      if (w) loss *= w[class_of[row]];
      if (smoothing > 0) {
        const auto all_alike = [=](auto at) { return log_total + (largest - at(from)); };
        const auto weighted = [=](auto at) { return at(w) * (log_total + (largest - at(from))); };
        const T away = w ? loops::sum_row<T>(rows.length, weighted) : loops::sum_row<T>(rows.length, all_alike);
        loss += smoothing * away / static_cast<T>(rows.length);
      }
      losses[row] = loss;
    });
    return made;
  });
}

Tensor cross_entropy_gradient(const Tensor& gradient, const Tensor& logits, const Tensor& targets,
                              const CrossEntropyResult& made, const CrossEntropyOptions& options) {
  const Tensor x = contiguous(logits), classes = contiguous(targets), g = contiguous(gradient);
  const Tensor weights = weights_of(options, x.dtype());
  return dispatch_float("cross_entropy", x.dtype(), [&]<class T>(T) {
    Tensor result = empty(x.shape(), x.dtype());
    const T *in = x.data<T>(), *grads = g.data<T>(), *maxima = made.largest.data<T>(), *totals = made.total.data<T>();
    const std::int64_t* class_of = classes.data<std::int64_t>();
    T* out = result.writable<T>();
    const Rows rows{x.shape()[0], x.shape()[1]};
    const T smoothing = static_cast<T>(options.label_smoothing), everywhere = smoothing / static_cast<T>(rows.length);
    const T* w = weights.defined() ? weights.data<T>() : nullptr;
    const T weight_of_all = w ? static_cast<T>(sum(weights).item()) : 0;
    loops::for_each_row(rows, [&](std::int64_t row) {
      const T* from = in + row * rows.length;
      T* to = out + row * rows.length;
      if (class_of[row] == options.ignore) {
        std::fill_n(to, rows.length, T{0});
        return;
      }
      const T grad = grads[row], largest = maxima[row], share = 1 / totals[row];
      const std::int64_t target = class_of[row];
      const T of_target = (1 - smoothing) * (w ? w[target] : 1);
      if (w) {
        const T all = of_target + everywhere * weight_of_all;  // |t|
        const auto to_logit = [=](auto v, auto of_class) {
          return grad * (all * (loops::power_or_0<T>(v - largest) * share) - everywhere * of_class);
        };
        loops::each(to, rows.length, to_logit, from, w);
      } else {
        const auto to_logit = [=](auto v) { return grad * (loops::power_or_0<T>(v - largest) * share - everywhere); };
        loops::each(to, rows.length, to_logit, from);
      }
      if (std::exp(from[target] - largest) * share > T{0.5})
        loops::balance(to, rows.length, target);
      else
        to[target] -= grad * of_target;
    });
    return result;
  });
}

}  // namespace regard
