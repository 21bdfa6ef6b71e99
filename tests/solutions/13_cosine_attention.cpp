// The square of the length is replaced where it is 0, before root and division: so no slope is infinite anywhere, and
// the vector 0 stays 0.
Variable unit(const Variable& x) {
  const Variable square_of_length = sum(square(x), -1, keepdim);
  return x / sqrt(where(greater(square_of_length, 0), square_of_length, 1));
}

Variable cosine_weights(const Variable& q, const Variable& k, double tau) {
  return softmax(matmul(unit(q), transpose(unit(k))) / tau, -1);
}
