// Variances of factors multiply, those of independent parts of a sum add up, and a scale enters squared.
double scale_on_paper(int features, double of_q, double of_k) { return 1 / std::sqrt(features * of_q * of_k); }

// Whatever the features are: what is divided by its usual size has the usual size 1.
double scale_by_measuring(const Tensor& q, const Tensor& k) {
  return 1 / std::sqrt(mean(square(matmul(q, transpose(k)))).item());
}
