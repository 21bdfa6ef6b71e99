#include "autograd/attention/pairs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"

namespace regard::pairs {
namespace {

Shape in_front(const Shape& shape) {
  Shape front = shape;
  front.erase(front.rank() - 1);
  front.erase(front.rank() - 1);
  return front;
}

bool all_ones(const Tensor& marks) { return !marks.defined() || marks.numel() == 0 || min(marks).item() == 1; }

}  // namespace

Shape shape_of(const Variable& q, const Variable& k, const Variable& v) {
  for (const Variable* x : {&q, &k, &v})
    if (x->rank() < 2) fail<ShapeError>("attention: {}: queries, keys and values are (…, L, D)", x->shape());
  if (in_front(q.shape()) != in_front(k.shape()) || in_front(k.shape()) != in_front(v.shape()))
    fail<ShapeError>("attention: q {}, k {}, v {}: the axes in front of the last two differ", q.shape(), k.shape(),
                     v.shape());
  if (k.size(-2) != v.size(-2))
    fail<ShapeError>("attention: k {}, v {}: there must be a value for each key", k.shape(), v.shape());
  Shape shape = q.shape();
  shape[shape.rank() - 1] = k.size(-2);
  return shape;
}

Variable for_all_queries(const Variable& q, const Variable& keys) {
  if (keys.rank() < 2 || keys.rank() != q.rank()) return keys;
  Shape wide = keys.shape();
  for (int i = 0; i < wide.rank() - 2; ++i)
    if (wide[i] == 1) wide[i] = q.shape()[i];
  return expand(keys, wide);
}

Variable kept(const Variable& x, const Tensor& keep) { return where(keep, x, 0.0); }

Variable shares(const Variable& x, const Tensor& keep) {
  const Variable left = kept(x, keep);
  const Variable total = sum(left, -1, keepdim);
  return left / where(not_equal(total, 0.0), total, 1.0);
}

Tensor visible_keys(const Shape& scores, const Tensor& keep) {
  return maximum(sum(expand(keep, scores), -1, keepdim), 1);
}

Variable mix(const Variable& weights, const Variable& values, const Tensor& keep) {
  if (all_finite(values.value())) return matmul(weights, values);
  // Each product is formed, and left out of the sum if its pair is hidden: slow, and rarely needed.
  const Variable products = unsqueeze(weights, -1) * unsqueeze(values, -3);  // (…, Lq, Lk, Dv)
  return sum(kept(products, unsqueeze(keep, -1)), -2);
}

Variable without_unseen_keys(const Variable& keys, const Tensor& seen) {
  return all_ones(seen) ? keys : kept(keys, transpose(seen));
}

Variable without_blind_queries(const Variable& queries, const Tensor& seeing) {
  return all_ones(seeing) ? queries : kept(queries, seeing);
}

}  // namespace regard::pairs
