// The state before the step is the query, since what it finds is an input of the step. The sum of W_q·h and W_k·s has
// an axis for the words, along which softmax runs.
Step step(const Decoder& decoder, const Variable& y, const Variable& h, const Variable& states, const Tensor& real) {
  const Variable features = tanh(unsqueeze(linear(h, decoder.w_q), 1) + linear(states, decoder.w_k));  // (B, n, A)
  const Variable weights = softmax(where(real, matmul(features, decoder.w_v), -INFINITY), -1);         // (B, n)
  const Variable context = squeeze(matmul(unsqueeze(weights, 1), states), 1);                          // (B, M)
  return {decoder.cell(cat({y, context}, -1), h), context, weights};
}
