#include "tensor/attention/engine/passes.h"

#include "tensor/attention/engine/products.h"
#include "tensor/attention/engine/tile_pass.h"
#include "tensor/create.h"
#include "tensor/loops/walk.h"
#include "tensor/ops/reduce.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

#include <algorithm>
#include <map>

namespace regard {

using namespace engine;

namespace {

// Matrices that write to the same gradients, one after another. Matrices may share a bias (all sequences of a batch,
// say, or all heads), and then they share its gradient. Without a bias that learns each matrix is a group of its own.
std::vector<std::vector<std::int64_t>> groups_of_matrices(const Matrices& matrices, const Tensor* bias) {
  std::vector<std::vector<std::int64_t>> groups;
  std::map<std::int64_t, std::size_t> group_at;  // by where its part of the bias begins
  const Strides strides = bias ? loops::broadcast_strides(*bias, matrices.scores) : Strides{};
  for (std::int64_t matrix = 0; matrix < matrices.count(); ++matrix) {
    const std::int64_t begin = bias ? matrices.offset(strides, matrix) : matrix;
    const auto [at, is_new] = group_at.try_emplace(begin, groups.size());
    if (is_new) groups.emplace_back();
    groups[at->second].push_back(matrix);
  }
  return groups;
}

// Into how many parts the keys are cut, so that there are 16 tasks or more. A bias that is the same for all keys has
// one gradient for all of them, and one part.
std::int64_t parts_of_keys(std::int64_t groups, std::int64_t tiles, const Tensor* bias) {
  if (bias && bias->size(-1) == 1) return 1;
  return std::clamp<std::int64_t>((15 + groups) / std::max<std::int64_t>(groups, 1), 1,
                                  std::max<std::int64_t>(tiles, 1));
}

// The tensors that gradients are written to, and where in them a task writes. Several tasks share a matrix if there are
// few of them. Each has keys of its own, so gradients of keys and values are written by one task only. Those of
// queries, of parameters and of numbers of pairs are not: there each task has a copy of its own, and these are added up
// in the end, in order. So the result does not depend on the number of threads.
template <class T>
class GradientBuffers {
 public:
  GradientBuffers(const AttentionProblem<T>& in, const AttentionInputs& inputs, std::int64_t parts,
                  const WantedGradients& wanted)
      : in_(in), inputs_(inputs), parts_(parts), wanted_(wanted) {
    const DType dtype = inputs.q.dtype();
    const std::int64_t rows_of_parameters = in.parameters_per_key ? in.keys : parts;
    if (wanted.q) made_.q = empty_beside_heads(inputs.q.shape(), dtype);
    if (wanted.q && parts > 1) q_parts_ = zeros({parts, in.matrices, in.queries, in.features}, dtype);
    const Shape keys = keys_of_all_heads(inputs);
    if (wanted.k) made_.k = empty_beside_heads(keys, dtype);
    if (wanted.v) made_.v = empty_beside_heads(keys.with(-1, in.value_size), dtype);
    if (wanted.parameters) parameter_parts_ = zeros({in.matrices, rows_of_parameters, in.features}, dtype);
    if (wanted.bias) made_.bias = zeros(inputs.bias.shape(), dtype);
    if (wanted.lines) line_parts_ = zeros({parts, in.line_count(), in.matrices, in.line_length()}, dtype);
  }

  Destination<T> destination(std::int64_t matrix, std::int64_t part) {
    Destination<T> to;
    if (wanted_.q) set_queries(to, matrix, part);
    if (wanted_.k) to.k = rows_of(made_.k, matrix);
    if (wanted_.v) to.v = rows_of(made_.v, matrix);
    if (wanted_.parameters) {
      const std::int64_t row = in_.parameters_per_key ? matrix * in_.keys : matrix * parts_ + part;
      to.parameters = {parameter_parts_.template writable<T>() + row * in_.features, in_.features};
    }
    if (wanted_.bias) {
      to.bias = made_.bias.template writable<T>();
      to.bias_strides = loops::broadcast_strides(made_.bias, in_.axes.scores);
    }
    if (wanted_.lines)
      to.lines = line_parts_.template writable<T>() + in_.queries - 1 +
                 (part * in_.line_count() * in_.matrices + matrix) * in_.line_length();
    return to;
  }

  AttentionGradients finish() {
    if (wanted_.q && parts_ > 1) made_.q = reshape(sum(q_parts_, 0), inputs_.q.shape());
    if (wanted_.parameters) made_.parameters = sum_to(of_all_parts(parameter_parts_), inputs_.parameters.shape());
    if (wanted_.lines) set_lines();
    if (wanted_.k) made_.k = sum_of_sharing_heads(made_.k);
    if (wanted_.v) made_.v = sum_of_sharing_heads(made_.v);
    return made_;
  }

 private:
  void set_queries(Destination<T>& to, std::int64_t matrix, std::int64_t part) {
    if (parts_ > 1) {
      const std::int64_t row = (part * in_.matrices + matrix) * in_.queries;
      to.q = {q_parts_.template writable<T>() + row * in_.features, in_.features};
      return;
    }
    to.q = rows_of(made_.q, matrix);
    for (std::int64_t i = 0; i < in_.queries; ++i) std::fill_n(to.q.data + i * to.q.step, in_.features, T{0});
  }

  // (matrices, rows, D), where the rows are keys, or parts to be added up → (…, rows, D) with all axes in front.
  Tensor of_all_parts(const Tensor& x) const {
    const Shape shape = keys_of_all_heads(inputs_);
    return in_.parameters_per_key ? reshape(x, shape) : reshape(sum(x, 1), shape.with(-2, 1));
  }
  void set_lines() {
    const Tensor all = sum(line_parts_, 0);  // (lines, matrices, line length)
    const Shape shape = inputs_.q.shape().without(-1);
    for (std::int64_t n = 0; n < in_.line_count(); ++n) {
      const Tensor& numbers = inputs_.lines[static_cast<std::size_t>(n)].numbers;
      const std::int64_t length = numbers.size(-1);
      const Tensor found = reshape(slice(select(all, 0, n), 1, 0, length), shape.with(-1, length));
      made_.lines.push_back(sum_to(to(found, numbers.dtype()), numbers.shape()));
    }
  }
  // What heads that share keys want of them, added up: (…, H, Lk, D) → (…, G, Lk, D).
  Tensor sum_of_sharing_heads(const Tensor& x) const {
    const std::int64_t sharing = heads_that_share(inputs_);
    if (sharing == 1) return x;
    Shape grouped = x.shape();
    grouped[grouped.rank() - 3] /= sharing;
    grouped.insert(grouped.rank() - 2, sharing);
    return sum(reshape(x, grouped), -3);
  }
  typename Destination<T>::Rows rows_of(Tensor& x, std::int64_t matrix) const {
    const MatrixRows<T> rows = in_.rows(x, matrix);
    return {x.writable<T>() + (rows.data - x.data<T>()), rows.step};
  }

  const AttentionProblem<T>& in_;
  const AttentionInputs& inputs_;
  const std::int64_t parts_;
  const WantedGradients wanted_;
  AttentionGradients made_;
  Tensor q_parts_, parameter_parts_, line_parts_;
};

template <class T>
AttentionGradients gradients_of_all(const AttentionProblem<T>& in, const AttentionInputs& inputs,
                                    const TileScore<T>& score, const AttentionForward& made,
                                    const ArrivingGradients& arriving, const WantedGradients& wanted) {
  const std::int64_t width = score.block(in.features).keys, tiles = (in.keys + width - 1) / width;
  const Tensor* bias = wanted.bias ? &inputs.bias : nullptr;
  const auto groups = groups_of_matrices(in.axes, bias);
  const std::int64_t count = std::ssize(groups), parts = parts_of_keys(count, tiles, bias);
  GradientBuffers<T> buffers(in, inputs, parts, wanted);
  const std::int64_t work =
      in.matrices / std::max<std::int64_t>(count, 1) * in.queries * in.keys / parts * (in.features + in.value_size);
  parallel_for(
      count * parts, items_of_a_task(work / multiply_adds_of_a_number), [&](std::int64_t begin, std::int64_t end) {
        TilePass<T> pass(in, score, made, arriving);
        for (std::int64_t task = begin; task < end; ++task) {
          const std::int64_t part = task % parts;
          const std::int64_t first_key = part * tiles / parts * width, end_key = (part + 1) * tiles / parts * width;
          for (const std::int64_t matrix : groups[static_cast<std::size_t>(task / parts)])
            pass.run(matrix, first_key, std::min(in.keys, end_key), buffers.destination(matrix, part));
        }
      });
  return buffers.finish();
}

}  // namespace

// For hidden pairs it is known beforehand whether zeros must be skipped. But an infinite slope of a score, times the
// gradient 0 of a pair too unlikely to count, shows only as NaN in the result: then everything is computed once more.
template <class T>
AttentionGradients attention_gradients(const AttentionInputs& inputs, const TileScore<T>& score,
                                       const AttentionForward& made, const ArrivingGradients& given,
                                       const WantedGradients& wanted) {
  AttentionProblem<T> in(inputs);
  const ArrivingGradients arriving{with_dense_rows(given.output),
                                   given.log_sum.defined() ? contiguous(given.log_sum) : Tensor()};
  in.skips_zeros = in.skips_zeros || (in.masking.hides() && !all_finite(arriving.output));
  const AttentionGradients found = gradients_of_all(in, inputs, score, made, arriving, wanted);
  if (in.skips_zeros || !score.may_have_infinite_slopes()) return found;
  const auto is_fine = [](const Tensor& x) { return !x.defined() || all_finite(x); };
  if (is_fine(found.q) && is_fine(found.k) && is_fine(found.parameters) && std::ranges::all_of(found.lines, is_fine))
    return found;
  in.skips_zeros = true;
  return gradients_of_all(in, inputs, score, made, arriving, wanted);
}

// The two that there are; their signature is that of the template.
template decltype(attention_gradients<float>) attention_gradients<float>;
template decltype(attention_gradients<double>) attention_gradients<double>;

}  // namespace regard
