#include "nn/tools/explain/influence.h"

#include "nn/tools/explain/trace.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <utility>

namespace regard {
namespace {

int axis_among(const Variable& x, int axis) { return axis < 0 ? axis + x.rank() : axis; }

void require_positions(const char* what, const Variable& x, int axis) {
  require_defined("influence", x);
  if (axis_among(x, axis) < 0 || axis_among(x, axis) >= x.rank())
    fail<ShapeError>("influence: {} {} has no axis {} along which positions could be counted", what, x.shape(), axis);
}

// Σ x² over all axes but one. In f64: in f32 the square of a small number is 0, and a leak would be gone.
Tensor squares_along(const Tensor& x, int axis) {
  return sum(reshape(transpose(square(to(x, DType::f64)), 0, axis), {x.size(axis), -1}), 1);
}

// A gradient at y that is `weights`, (numbers of a position), at one position of the axis, and 0 elsewhere.
Tensor at_position(const Variable& y, int axis, std::int64_t position, const Tensor& weights) {
  Shape first = y.shape();  // with the positions in front
  std::swap(first[0], first[axis]);
  const Tensor here =
      reshape(one_hot(tensor(static_cast<double>(position), DType::i64), y.size(axis), y.dtype()), {y.size(axis), 1});
  return transpose(reshape(here * reshape(weights, {1, -1}), first), 0, axis);
}

class Looker {
 public:
  Looker(const Variable& y, const Variable& x, const InfluenceOptions& options)
      : y_(y),
        x_(x),
        from_(axis_among(x, options.input_axis)),
        to_(axis_among(y, options.output_axis)),
        steps_(graph::trace("influence", y)),
        index_(graph::index_in(steps_, x)) {}

  Tensor row(std::int64_t position, const Tensor& weights) const {
    const Variable gradient = graph::gradient_at(steps_, index_, at_position(y_, to_, position, weights));
    return squares_along(gradient.defined() ? gradient.value() : zeros_like(x_.value()), from_);
  }
  std::int64_t positions() const { return y_.size(to_); }
  std::int64_t numbers() const { return positions() == 0 ? 0 : y_.numel() / positions(); }

 private:
  const Variable &y_, &x_;
  int from_, to_;
  graph::Trace steps_;
  std::size_t index_;
};

void require_nothing(const Influence& found, const char* asking, std::int64_t output, std::int64_t input) {
  const double size = select(select(found.sizes, 0, output), 0, input).item();
  if (size == 0) return;
  fail<ValueError>("{}: output {} depends on input {}: the size of its gradient is {:.3g} ({})", asking, output, input,
                   size, found.tried);
}

}  // namespace

Influence influence(const Variable& y, const Variable& x, const InfluenceOptions& options) {
  require_positions("the output", y, options.output_axis);
  require_positions("the input", x, options.input_axis);
  if (!x.requires_grad())
    fail<ValueError>(
        "influence: the input {} does not require a gradient (of tokens, look at what an embedding makes "
        "of them: first_use(y, table))",
        x.shape());
  if (!y.requires_grad())
    fail<ValueError>("influence: the output {} depends on nothing that requires a gradient", y.shape());
  const Looker looker(y, x, options);
  Generator random(options.seed);
  const Tensor c = normal({looker.numbers()}, random, 0, 1, y.dtype()), each = eye(looker.numbers(), y.dtype());
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < looker.positions(); ++i) {
    Tensor squares = options.exact ? looker.row(i, select(each, 0, 0)) : looker.row(i, c);
    for (std::int64_t n = 1; options.exact && n < looker.numbers(); ++n)
      squares = squares + looker.row(i, select(each, 0, n));
    rows.push_back(sqrt(squares));
  }
  if (rows.empty()) rows.push_back(zeros({x.size(axis_among(x, options.input_axis))}, DType::f64));
  const Tensor sizes = slice(stack(rows, 0), 0, 0, looker.positions());
  const std::string by = options.exact ? "all numbers of each output" : fmt::format("a c of seed {}", options.seed);
  return {sizes, fmt::format("tried: one input {}, {}", x.shape(), by)};
}

Influence assert_causal(const Variable& y, const Variable& x, const InfluenceOptions& options) {
  Influence found = influence(y, x, options);
  for (std::int64_t i = 0; i < found.sizes.size(0); ++i)
    for (std::int64_t j = i + 1; j < found.sizes.size(1); ++j) require_nothing(found, "assert_causal", i, j);
  return found;
}

Influence assert_padding_ignored(const Variable& y, const Variable& x, std::int64_t length,
                                 const InfluenceOptions& options) {
  Influence found = influence(y, x, options);
  if (length < 0 || length > found.sizes.size(1))
    fail<ValueError>("assert_padding_ignored: length {} of {} positions", length, found.sizes.size(1));
  for (std::int64_t i = 0; i < std::min(length, found.sizes.size(0)); ++i)
    for (std::int64_t j = length; j < found.sizes.size(1); ++j) require_nothing(found, "assert_padding_ignored", i, j);
  return found;
}

std::vector<Field> receptive_field(const Variable& y, const Variable& x, const InfluenceOptions& options) {
  const Tensor sizes = influence(y, x, options).sizes;
  const std::vector<double> all = to_vector(sizes);
  const std::int64_t inputs = sizes.size(1);
  std::vector<Field> fields;
  for (std::int64_t i = 0; i < sizes.size(0); ++i) {
    Field field{inputs, -1};
    for (std::int64_t j = 0; j < inputs; ++j)
      if (all[static_cast<std::size_t>(i * inputs + j)] != 0) field = {std::min(field.first, j), j};
    fields.push_back(field);
  }
  return fields;
}

Variable first_use(const Variable& y, const Variable& parameter) {
  const graph::Trace steps = graph::trace("first_use", y);
  const std::size_t index = graph::index_in(steps, parameter);
  for (const graph::Step& step : steps)
    if (std::count(step.inputs.begin(), step.inputs.end(), index) > 0) return step.result;
  fail<ValueError>("first_use: the output was not computed from this Variable {}", parameter.shape());
}

}  // namespace regard
