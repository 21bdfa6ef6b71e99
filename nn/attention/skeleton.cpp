#include "nn/attention/skeleton.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

namespace regard::nn {
namespace {

Variable number_like(const Variable& x, double number) { return full({}, number, x.dtype()); }

// x (…, L, D) where some pair that its row is in is kept, else 0. `others` is the axis of keep that is looked along.
Variable where_any_kept(const Variable& x, const Tensor& keep, int others) {
  if (keep.numel() == 0) return x;           // no queries, or no keys: there are no pairs to spoil anything
  Tensor seen = max(keep, others, keepdim);  // (…, Lq, 1) or (…, 1, Lk)
  if (min(seen).item() == 1) return x;
  if (others == -2) seen = transpose(seen);
  return kept(x, seen);
}

}  // namespace

Variable kept(const Variable& x, const Tensor& keep) { return where(keep, x, number_like(x, 0)); }

Tensor visible_keys(const Shape& scores, const Tensor& keep) {
  return maximum(sum(expand(keep, scores), -1, keepdim), 1);
}

Variable shares(const Variable& x, const Tensor& keep) {
  const Variable left = kept(x, keep);
  const Variable total = sum(left, -1, keepdim);
  return left / where(equal(total, 0.0), number_like(x, 1), total);
}

Variable mix(const Variable& weights, const Variable& values, const Tensor& keep) {
  if (all_finite(values.value())) return matmul(weights, values);
  // 0·NaN is NaN, so each product is formed and left out of the sum if its pair is masked: slow, and rarely needed.
  const Variable products = unsqueeze(weights, -1) * unsqueeze(values, -3);  // (…, Lq, Lk, Dv)
  return sum(kept(products, unsqueeze(keep, -1)), -2);
}

Variable without_unseen_keys(const Variable& keys, const Tensor& keep) { return where_any_kept(keys, keep, -2); }

Variable without_blind_queries(const Variable& queries, const Tensor& keep) {
  return where_any_kept(queries, keep, -1);
}

Shape scores_shape(const Variable& q, const Variable& k, const Variable& v) {
  const auto batch = [](const Shape& shape) {
    Shape front = shape;
    front.erase(front.rank() - 1);
    front.erase(front.rank() - 1);
    return front;
  };
  for (const Variable* x : {&q, &k, &v})
    if (x->rank() < 2) fail<ShapeError>("attention: {}: queries, keys and values are (…, L, D)", x->shape());
  if (batch(q.shape()) != batch(k.shape()) || batch(k.shape()) != batch(v.shape()))
    fail<ShapeError>("attention: q {}, k {}, v {}: the axes in front of the last two differ", q.shape(), k.shape(),
                     v.shape());
  if (k.size(-2) != v.size(-2))
    fail<ShapeError>("attention: k {}, v {}: there must be a value for each key", k.shape(), v.shape());
  Shape shape = q.shape();
  shape[shape.rank() - 1] = k.size(-2);
  return shape;
}

}  // namespace regard::nn
