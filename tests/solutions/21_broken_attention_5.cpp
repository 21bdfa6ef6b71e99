// Padding is replaced before anything is computed with it: values for the output, keys for the gradient of q. The rule
// of `where` gives the replaced places the gradient 0.
Variable attend(const Variable& q, const Variable& k, const Variable& v, const Tensor& real) {
  const Tensor rows = unsqueeze(real, -1);
  const Variable keys = where(rows, k, 0), values = where(rows, v, 0);
  const Variable scores = matmul(q, transpose(keys)) / std::sqrt(static_cast<double>(q.size(-1)));
  return matmul(masked_softmax(scores, 1, real), values);
}
