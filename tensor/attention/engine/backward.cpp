#include "tensor/ops/arithmetic.h"
#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/tile_pass.h"
#include "tensor/create.h"
#include "tensor/threads/parallel.h"
#include "tensor/ops/reduce.h"

namespace regard {
namespace {

// How many tasks share a matrix, so that there are 16 or more of them.
std::int64_t tasks_per_matrix(std::int64_t matrices, std::int64_t tiles) {
  return std::clamp<std::int64_t>((15 + matrices) / std::max<std::int64_t>(matrices, 1), 1,
                                  std::max<std::int64_t>(tiles, 1));
}

template <class T>
AttentionGradients gradients_of_all(const AttentionProblem<T>& in, const AttentionInputs& inputs,
                                    const TileScore<T>& score, const AttentionForward& made,
                                    const Tensor& output_gradient, const WantedGradients& wanted) {
  const DType dtype = inputs.q.dtype();
  const Tensor gradient = with_dense_rows(output_gradient);
  const std::int64_t width = score.block(in.features).keys, tiles = (in.keys + width - 1) / width;
  const std::int64_t parts = wanted.bias ? 1 : tasks_per_matrix(in.matrices, tiles);
  const bool per_key = in.parameters_per_key();

  AttentionGradients to;
  Tensor q_parts, parameter_parts;
  if (wanted.q) to.q = empty_beside_heads(inputs.q.shape(), dtype);
  if (wanted.q && parts > 1) q_parts = zeros({parts, in.matrices, in.queries, in.features}, dtype);
  if (wanted.k) to.k = empty_beside_heads(inputs.k.shape(), dtype);
  if (wanted.v) to.v = empty_beside_heads(inputs.v.shape(), dtype);
  if (wanted.parameters) parameter_parts = zeros({in.matrices, per_key ? in.keys : parts, in.features}, dtype);
  if (wanted.bias) to.bias = zeros(inputs.sight.bias.shape(), dtype);

  const auto writable = [&](Tensor& x, std::int64_t matrix) {
    return x.writable<T>() + (in.rows(x, matrix).data - x.data<T>());
  };
  // Matrices may share a bias, so with one that learns they take turns.
  parallel_for(in.matrices * parts, wanted.bias ? in.matrices : 1, [&](std::int64_t begin, std::int64_t end) {
    TilePass<T> pass(in, score, made, gradient);
    for (std::int64_t task = begin; task < end; ++task) {
      const std::int64_t matrix = task / parts, part = task % parts;
      Destination<T> place;
      if (wanted.q) {
        place.q_step = parts > 1 ? in.features : in.rows(to.q, matrix).step;
        place.q = parts > 1 ? q_parts.writable<T>() + (part * in.matrices + matrix) * in.queries * in.features
                            : writable(to.q, matrix);
        for (std::int64_t i = 0; i < in.queries && parts == 1; ++i)
          std::fill_n(place.q + i * place.q_step, in.features, T{0});
      }
      if (wanted.k) place.k = writable(to.k, matrix), place.k_step = in.rows(to.k, matrix).step;
      if (wanted.v) place.v = writable(to.v, matrix), place.v_step = in.rows(to.v, matrix).step;
      if (wanted.parameters)
        place.parameters = parameter_parts.writable<T>() + (per_key ? matrix * in.keys : task) * in.features;
      if (wanted.bias)
        place.bias = to.bias.writable<T>(), place.bias_strides = kernels::broadcast_strides(to.bias, [&] {
                                              Shape s = inputs.q.shape();
                                              s[s.rank() - 1] = in.keys;
                                              return s;
                                            }());
      pass.run(matrix, part * tiles / parts * width, std::min(in.keys, (part + 1) * tiles / parts * width), place);
    }
  });
  if (wanted.q && parts > 1) to.q = reshape(sum(q_parts, 0), inputs.q.shape());
  if (wanted.parameters) to.parameters = sum_to(sum(parameter_parts, 0), inputs.parameters.shape());
  return to;
}

}  // namespace

// A pair that is masked, or too unlikely, has the gradient 0. Where the slope of its score is infinite the product is NaN.
// To look at each pair for that takes time, so it is done only where NaN turns up without.
template <class T>
AttentionGradients attention_gradients(const AttentionInputs& inputs, const TileScore<T>& score,
                                       const AttentionForward& made, const Tensor& output_gradient,
                                       const WantedGradients& wanted) {
  AttentionProblem<T> in(inputs);
  if (in.masks) in.finite = in.finite && all_finite(output_gradient);
  const AttentionGradients hasty = gradients_of_all(in, inputs, score, made, output_gradient, wanted);
  const auto is_fine = [](const Tensor& x) { return !x.defined() || all_finite(x); };
  if (!score.may_be_careless() || (is_fine(hasty.q) && is_fine(hasty.k) && is_fine(hasty.parameters))) return hasty;
  in.careful = true;
  return gradients_of_all(in, inputs, score, made, output_gradient, wanted);
}

template AttentionGradients attention_gradients(const AttentionInputs&, const TileScore<float>&,
                                                const AttentionForward&, const Tensor&, const WantedGradients&);
template AttentionGradients attention_gradients(const AttentionInputs&, const TileScore<double>&,
                                                const AttentionForward&, const Tensor&, const WantedGradients&);

}  // namespace regard
