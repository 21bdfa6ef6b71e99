// (…, Lq, 1, h) + (…, 1, Lk, h) = (…, Lq, Lk, h): broadcasting repeats each query along the keys, and each key along
// the queries; on the way back it adds up what comes to the copies.
Variable additive_score(const Variable& q, const Variable& k, const Variable& w_q, const Variable& w_k,
                        const Variable& w_v) {
  const Variable of_queries = matmul(q, transpose(w_q)), of_keys = matmul(k, transpose(w_k));
  return matmul(tanh(unsqueeze(of_queries, -2) + unsqueeze(of_keys, -3)), w_v);
}
