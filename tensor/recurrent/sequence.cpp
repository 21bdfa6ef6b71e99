#include "tensor/recurrent/sequence.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/view.h"

namespace regard {

void require_lengths(const char* operation, const Tensor& lengths, std::int64_t steps, std::int64_t batch) {
  require_indexes(operation, lengths);
  if (lengths.shape() != Shape{batch})
    fail<ShapeError>("{}: lengths {} for {} sequences: needs one for each, ({})", operation, lengths.shape(), batch,
                     batch);
  const std::vector<double> values = to_vector(lengths);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (values[i] < 0 || values[i] > static_cast<double>(steps))
      fail<ValueError>("{}: sequence {} cannot have {} real steps: there are {}", operation, i, values[i], steps);
}

void require_sequence(const char* operation, std::int64_t gates, const Tensor& projected,
                      std::initializer_list<const Tensor*> initial, const Tensor& weight, const Tensor& bias,
                      const SequenceOptions& options) {
  for (const Tensor* state : initial) require_same_dtype(operation, projected, *state);
  require_same_dtype(operation, projected, weight);
  require_same_dtype(operation, projected, bias);
  const bool is_weight = weight.rank() == 2 && weight.shape()[0] == gates * weight.shape()[1];
  if (!is_weight || weight.shape()[1] == 0 || bias.shape() != Shape{weight.shape()[0]})
    fail<ShapeError>("{}: weight {} and bias {}: needs ({}H, H) and ({}H)", operation, weight.shape(), bias.shape(),
                     gates, gates);
  const std::int64_t hidden = weight.shape()[1];
  if (projected.rank() != 3 || projected.shape()[2] != gates * hidden)
    fail<ShapeError>("{}: projected {} for a weight {}: needs (L, B, {})", operation, projected.shape(), weight.shape(),
                     gates * hidden);
  const Shape state{projected.shape()[1], hidden};
  for (const Tensor* each : initial)
    if (each->shape() != state)
      fail<ShapeError>("{}: an initial state {} for projected {}: needs (B, H), {}", operation, each->shape(),
                       projected.shape(), state);
  if (options.lengths.defined()) require_lengths(operation, options.lengths, projected.shape()[0], state[0]);
}

Tensor real_at(const SequenceOptions& options, std::int64_t step) {
  return unsqueeze(greater(options.lengths, static_cast<double>(step)), 1);
}

Tensor states_before(const Tensor& states, const SequenceOptions& options) {
  return options.reverse ? slice(states, 0, 1) : slice(states, 0, 0, -1);
}

Tensor weight_gradient(const Tensor& to_hidden, const Tensor& states) {
  return matmul(transpose(flatten(to_hidden, 0, 1)), flatten(states, 0, 1));
}

}  // namespace regard
