// masked_softmax leaves out what is hidden, and says that weights are 0 where nothing is left: no number that is added
// could do either. On the way back it passes on 0 there.
Variable attend(const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(q.size(-1));
  return matmul(masked_softmax(scores, 1, keep), v);
}
