#include "autograd/recurrent/composed.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/view.h"

namespace regard {
namespace {

// A padded step is not taken: the state stays. NaN that stands there must not even be computed with.
CellState padded_step(const CellStep& step, const Variable& projected, const CellState& before, const Tensor& real) {
  CellState after = step(where(real, projected, 0), before);
  for (std::size_t i = 0; i < after.size(); ++i) after[i] = where(real, after[i], before[i]);
  return after;
}

}  // namespace

std::vector<Variable> composed_sequence(const Variable& projected, CellState state, const SequenceOptions& options,
                                        const CellStep& step) {
  const std::int64_t length = projected.size(0);
  std::vector<std::vector<Variable>> states(state.size(), std::vector<Variable>(static_cast<std::size_t>(length) + 1));
  const auto keep = [&](std::int64_t position) {
    for (std::size_t i = 0; i < state.size(); ++i) states[i][static_cast<std::size_t>(position)] = state[i];
  };
  keep(options.reverse ? length : 0);
  for (std::int64_t k = 0; k < length; ++k) {
    const std::int64_t t = options.reverse ? length - 1 - k : k;
    const Variable now = select(projected, 0, t);
    state = options.lengths.defined() ? padded_step(step, now, state, real_at(options, t)) : step(now, state);
    keep(options.reverse ? t : t + 1);
  }
  std::vector<Variable> stacked;
  for (const auto& each : states) stacked.push_back(stack(each, 0));
  return stacked;
}

}  // namespace regard
