// What is hidden is left out of the sum of the powers, so the visible weights add up to 1 whatever the hidden scores
// are.
Variable attend(const Variable& q, const Variable& k, const Variable& v) {
  const Tensor keep = tril(ones({q.size(-2), k.size(-2)}, q.dtype()));
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(q.size(-1));
  return matmul(masked_softmax(scores, 1, keep), v);
}
