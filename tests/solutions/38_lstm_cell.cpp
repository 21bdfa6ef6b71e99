// The memory meets no matrix and no tanh on its way from step to step, only the factor f. So f alone says how fast its
// gradient fades.
nn::LSTMState lstm_step(const Variable& x, const nn::LSTMState& before, const Variable& w_ih, const Variable& w_hh,
                        const Variable& b) {
  const std::int64_t size = before.h.size(-1);
  const auto parts = split(linear(x, w_ih, b) + linear(before.h, w_hh), {size, size, size, size}, -1);
  const Variable i = sigmoid(parts[0]), f = sigmoid(parts[1]), g = tanh(parts[2]), o = sigmoid(parts[3]);
  const Variable c = f * before.c + i * g;
  return {o * tanh(c), c};
}
