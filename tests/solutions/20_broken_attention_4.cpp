// A hidden score becomes −∞ before anything is done with it: it is never the largest, its power is 0, and so the sum
// runs over the visible keys only. (masked_softmax(scores, 1, visible) does the same in one call.)
Tensor attend(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& visible) {
  const Tensor all = matmul(q, transpose(k)) / std::sqrt(static_cast<double>(q.size(-1)));
  const Tensor scores = where(visible, all, -INFINITY);
  const Tensor powers = exp(scores - max(scores, -1, keepdim));
  const Tensor weights = powers / sum(powers, -1, keepdim);
  return matmul(weights, v);
}
