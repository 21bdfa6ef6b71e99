// cosh x = e^|x|·(1 + e^(−2|x|))/2, and neither power is ever above 1 but the one that the logarithm takes back. The
// slope is sinh x/cosh x = tanh x, which is recorded, so that it can be derived again.
Variable log_cosh(const Variable& x) {
  const Tensor size = abs(x.value());
  const Tensor value = size + softplus(-2.0 * size) - std::log(2);
  return record(log_cosh_info, {x}, value,
                [](const Variable& grad, const Saved& saved) { return gradients(grad * tanh(saved.input())); });
}
