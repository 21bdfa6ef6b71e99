// m is (1 − β₁)·(g + β₁·the one before + …), and the factors of t gradients have the sum 1 − β₁ᵗ. So m divided by that
// is a true mean of the gradients so far, and v in the same way one of their squares.
double adam(double w, double g, double t, double rate, Means& means) {
  means.m = 0.9 * means.m + 0.1 * g;
  means.v = 0.999 * means.v + 0.001 * g * g;
  const double mean = means.m / (1 - std::pow(0.9, t)), square = means.v / (1 - std::pow(0.999, t));
  return w - rate * mean / (std::sqrt(square) + 1e-8);
}
