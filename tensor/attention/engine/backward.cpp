#include "tensor/attention/engine/backward.h"

#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/tile_pass.h"
#include "tensor/create.h"
#include "tensor/loops/walk.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/threads/parallel.h"

namespace regard {

using namespace engine;

namespace {

// How many tasks share a matrix, so that there are 16 or more of them.
std::int64_t tasks_per_matrix(std::int64_t matrices, std::int64_t tiles) {
  return std::clamp<std::int64_t>((15 + matrices) / std::max<std::int64_t>(matrices, 1), 1,
                                  std::max<std::int64_t>(tiles, 1));
}

// The tensors that gradients are written to, and where in them a task writes. Several tasks share a matrix if there are
// few of them. Each has keys of its own, so gradients of keys and values are written by one task only. Those of queries
// and of parameters are not: there each task has a place of its own, and these are added up in the end, in order.
template <class T>
class GradientBuffers {
 public:
  GradientBuffers(const AttentionProblem<T>& in, const AttentionInputs& inputs, std::int64_t parts,
                  const WantedGradients& wanted)
      : in_(in), inputs_(inputs), parts_(parts), wanted_(wanted) {
    const DType dtype = inputs.q.dtype();
    const std::int64_t rows_of_parameters = in.parameters_per_key() ? in.keys : parts;
    if (wanted.q) made_.q = empty_beside_heads(inputs.q.shape(), dtype);
    if (wanted.q && parts > 1) q_parts_ = zeros({parts, in.matrices, in.queries, in.features}, dtype);
    if (wanted.k) made_.k = empty_beside_heads(inputs.k.shape(), dtype);
    if (wanted.v) made_.v = empty_beside_heads(inputs.v.shape(), dtype);
    if (wanted.parameters) parameter_parts_ = zeros({in.matrices, rows_of_parameters, in.features}, dtype);
    if (wanted.bias) made_.bias = zeros(inputs.bias.shape(), dtype);
  }

  Destination<T> destination(std::int64_t matrix, std::int64_t part) {
    Destination<T> to;
    if (wanted_.q) set_queries(to, matrix, part);
    if (wanted_.k) {
      to.k = rows_of(made_.k, matrix);
      to.k_step = in_.rows(made_.k, matrix).step;
    }
    if (wanted_.v) {
      to.v = rows_of(made_.v, matrix);
      to.v_step = in_.rows(made_.v, matrix).step;
    }
    if (wanted_.parameters) {
      const std::int64_t row = in_.parameters_per_key() ? matrix * in_.keys : matrix * parts_ + part;
      to.parameters = parameter_parts_.template writable<T>() + row * in_.features;
    }
    if (wanted_.bias) {
      to.bias = made_.bias.template writable<T>();
      to.bias_strides = loops::broadcast_strides(made_.bias, in_.axes.scores);
    }
    return to;
  }

  AttentionGradients finish() {
    if (wanted_.q && parts_ > 1) made_.q = reshape(sum(q_parts_, 0), inputs_.q.shape());
    if (wanted_.parameters) made_.parameters = sum_to(sum(parameter_parts_, 0), inputs_.parameters.shape());
    return made_;
  }

 private:
  void set_queries(Destination<T>& to, std::int64_t matrix, std::int64_t part) {
    if (parts_ > 1) {
      to.q_step = in_.features;
      to.q = q_parts_.template writable<T>() + (part * in_.matrices + matrix) * in_.queries * in_.features;
      return;
    }
    to.q_step = in_.rows(made_.q, matrix).step;
    to.q = rows_of(made_.q, matrix);
    for (std::int64_t i = 0; i < in_.queries; ++i) std::fill_n(to.q + i * to.q_step, in_.features, T{0});
  }
  T* rows_of(Tensor& x, std::int64_t matrix) const {
    return x.writable<T>() + (in_.rows(x, matrix).data - x.data<T>());
  }

  const AttentionProblem<T>& in_;
  const AttentionInputs& inputs_;
  const std::int64_t parts_;
  const WantedGradients wanted_;
  AttentionGradients made_;
  Tensor q_parts_, parameter_parts_;
};

template <class T>
AttentionGradients gradients_of_all(const AttentionProblem<T>& in, const AttentionInputs& inputs,
                                    const TileScore<T>& score, const AttentionForward& made, const Tensor& gradient,
                                    const WantedGradients& wanted) {
  const std::int64_t width = score.block(in.features).keys, tiles = (in.keys + width - 1) / width;
  const std::int64_t parts = wanted.bias ? 1 : tasks_per_matrix(in.matrices, tiles);
  GradientBuffers<T> buffers(in, inputs, parts, wanted);
  // Matrices may share a bias, so with one that learns they take turns.
  parallel_for(in.matrices * parts, wanted.bias ? in.matrices : 1, [&](std::int64_t begin, std::int64_t end) {
    TilePass<T> pass(in, score, made, gradient);
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t matrix = task / parts, part = task % parts;
      const std::int64_t first_key = part * tiles / parts * width, end_key = (part + 1) * tiles / parts * width;
      pass.run(matrix, first_key, std::min(in.keys, end_key), buffers.destination(matrix, part));
    }
  });
  return buffers.finish();
}

}  // namespace

// Whether zeros must be skipped is known beforehand of what is hidden. A slope of a score that is infinite, times the
// gradient 0 of a pair that is too unlikely, shows as NaN in the result only: then everything is computed once more.
template <class T>
AttentionGradients attention_gradients(const AttentionInputs& inputs, const TileScore<T>& score,
                                       const AttentionForward& made, const Tensor& output_gradient,
                                       const WantedGradients& wanted) {
  AttentionProblem<T> in(inputs);
  const Tensor gradient = with_dense_rows(output_gradient);
  in.skips_zeros = in.skips_zeros || (in.masking.hides() && !all_finite(gradient));
  const AttentionGradients found = gradients_of_all(in, inputs, score, made, gradient, wanted);
  if (in.skips_zeros || !score.may_have_infinite_slopes()) return found;
  const auto is_fine = [](const Tensor& x) { return !x.defined() || all_finite(x); };
  if (is_fine(found.q) && is_fine(found.k) && is_fine(found.parameters)) return found;
  in.skips_zeros = true;
  return gradients_of_all(in, inputs, score, made, gradient, wanted);
}

template AttentionGradients attention_gradients(const AttentionInputs&, const TileScore<float>&,
                                                const AttentionForward&, const Tensor&, const WantedGradients&);
template AttentionGradients attention_gradients(const AttentionInputs&, const TileScore<double>&,
                                                const AttentionForward&, const Tensor&, const WantedGradients&);

}  // namespace regard
