#include "autograd/attention/pairs.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/reduce.h"
#include "autograd/ops/view.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/view.h"

namespace regard::pairs {
namespace {

// Whether keys serve queries: along each axis in front there is one for each, or one for all, or, for heads, one for as
// many as there are more queries.
bool can_share(const Shape& q, const Shape& k) {
  bool fits = q.rank() == k.rank();
  for (int i = 3; fits && i <= q.rank(); ++i) {
    const std::int64_t many = q.back(i), few = k.back(i);
    fits = few == many || few == 1 || (i == 3 && q.rank() >= 4 && few > 0 && many % few == 0);
  }
  return fits;
}

bool all_ones(const Tensor& marks) { return !marks.defined() || marks.numel() == 0 || min(marks).item() == 1; }

// Marks (B, H, …) beside x that all heads share, (B, L, E) or (B, 1, L, D), or some of them: what any head does.
Tensor by_any_head(const Tensor& marks, const Variable& x) {
  if (marks.rank() > x.rank()) return max(marks, -3);
  const bool each = marks.rank() < 4 || marks.size(-3) == 1 || marks.size(-3) == x.size(-3);
  return each ? marks : max(marks, -3, keepdim);
}

}  // namespace

Shape shape_of(const Variable& q, const Variable& k, const Variable& v) {
  for (const Variable* x : {&q, &k, &v})
    if (x->rank() < 2) fail<ShapeError>("attention: {}: queries, keys and values are (…, L, D)", x->shape());
  if (!can_share(q.shape(), k.shape()) || !can_share(q.shape(), v.shape()))
    fail<ShapeError>("attention: q {}, k {}, v {}: the axes in front of the last two differ", q.shape(), k.shape(),
                     v.shape());
  if (k.size(-2) != v.size(-2))
    fail<ShapeError>("attention: k {}, v {}: there must be a value for each key", k.shape(), v.shape());
  return q.shape().with(-1, k.size(-2));
}

Variable for_all_queries(const Variable& q, const Variable& keys) {
  if (keys.rank() < 2 || keys.rank() != q.rank()) return keys;
  Shape wide = keys.shape();
  for (int i = 0; i < wide.rank() - 2; ++i)
    if (wide[i] == 1) wide[i] = q.shape()[i];
  const Variable for_all = expand(keys, wide);
  const bool grouped = keys.rank() >= 4 && wide.back(3) < q.size(-3);
  return grouped ? repeat_interleave(for_all, q.size(-3) / wide.back(3), -3) : for_all;
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
  return all_ones(seen) ? keys : kept(keys, transpose(by_any_head(seen, keys)));
}

Variable without_blind_queries(const Variable& queries, const Tensor& seeing) {
  return all_ones(seeing) ? queries : kept(queries, by_any_head(seeing, queries));
}

}  // namespace regard::pairs
