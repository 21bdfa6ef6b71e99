// −½|q − k|² = q·k − ½|q|² − ½|k|². The second term is the same for all keys of a query, so it can go. What is kept is
// the table of q·k, the difference, the weights, and n numbers for the keys.
Variable gaussian_weights(const Variable& q, const Variable& k) {
  return softmax(matmul(q, transpose(k)) - 0.5 * sum(square(k), -1), -1);
}
