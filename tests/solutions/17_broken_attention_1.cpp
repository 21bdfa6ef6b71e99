// Softmax runs over the keys, the last axis: each query has the sum 1 to give away. Over the queries nothing crashes.
Variable attend(const Variable& q, const Variable& k, const Variable& v) {
  const Variable scores = matmul(q, transpose(k)) / std::sqrt(q.size(-1));
  const Variable weights = softmax(scores, -1);
  return matmul(weights, v);
}
