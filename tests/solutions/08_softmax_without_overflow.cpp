// Each row less its own largest score: no power is above 1, and one is 1, so the sum is neither ∞ nor 0.
Tensor safe_softmax(const Tensor& s) {
  const Tensor powers = exp(s - max(s, -1, keepdim));
  return powers / sum(powers, -1, keepdim);
}
