#include "nn/tools/explain/influence.h"

#include "autograd/elements.h"
#include "nn/tools/explain/modules.h"
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

namespace regard {
namespace {

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

// What arrives at x, the step at this index, if `start` is the gradient at the last step.
Tensor gradient_at(graph::Trace& steps, std::size_t index, const Variable& start, const Variable& x) {
  graph::pass_back(steps, {.start = start, .to = index, .keep = false});
  const Variable found = index < steps.size() ? steps[index].gradient : Variable();
  return found.defined() ? found.value() : zeros_like(x.value());
}

void require_nothing(
    const Influence& found, const char* asking, std::int64_t output, std::int64_t input,
    const std::function<std::string()>& where = [] { return ""; }) {
  const double size = select(select(found.sizes, 0, output), 0, input).item();
  if (size == 0) return;
  fail<ValueError>("{}: output {} depends on input {}: the size of its gradient is {:.3g} ({}){}", asking, output,
                   input, size, found.tried, where());
}

// The position of each element: its index along the axis that is as long as there are positions. A pair of two, such as
// a score, may know both, so the later one counts. Undefined where no axis is that long.
Tensor positions_of(const Shape& shape, std::int64_t length, DType dtype) {
  Tensor positions;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    if (shape[axis] != length) continue;
    Shape along(std::vector<std::int64_t>(static_cast<std::size_t>(shape.rank()), 1));
    along[axis] = length;
    const Tensor index = reshape(arange(length, dtype), along);
    positions = positions.defined() ? maximum(positions, index) : index;
  }
  return positions;
}

// The parts of x − mean(x) that nobody wrote: the sum times 1/n, and its copy for each position.
bool was_not_written(const OpInfo& op) {
  return op.name == std::string_view("affine") || op.name == std::string_view("expand");
}

// The first operation whose result depends on the input of a later position than its own, and leads to the output. Each
// is asked for its gradient at that input, by a walk of its own. Empty if no shape tells of positions.
std::string where_future_comes_in(const Variable& y, const Variable& x, std::int64_t output, std::int64_t input,
                                  const InfluenceOptions& options) {
  const int from = axis_of("influence", options.input_axis, x.shape());
  const int along = axis_of("influence", options.output_axis, y.shape());
  graph::Trace steps = graph::trace("assert_causal", y), before;
  const std::size_t index = graph::index_in(steps, x);
  Generator random(options.seed);
  const Tensor c = normal({y.numel() / y.size(along)}, random, 0, 1, y.dtype());
  graph::pass_back(steps, {.start = at_position(y, along, output, c)});
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const auto& [result, inputs, gradient, passed] = steps[k];
    before.push_back({result, inputs});
    const Tensor positions = positions_of(result.shape(), x.size(from), result.dtype());
    if (k <= index || !steps[k].op() || was_not_written(*steps[k].op()) || !gradient.defined() || !positions.defined())
      continue;
    const Tensor leads_on = not_equal(gradient.value(), 0) * less(positions, static_cast<double>(input));
    const Variable start = leads_on * normal(result.shape(), random, 0, 1, result.dtype());
    if (element_of(squares_along(gradient_at(before, index, start, x), from), input) == 0) continue;
    std::vector<std::string> made_of;
    for (std::size_t i : inputs) {
      while (steps[i].op() && was_not_written(*steps[i].op())) i = steps[i].inputs[0];
      const std::string name = i == index ? "the input" : ParameterNames(options.names).name_of(steps[i].result);
      const std::string kind = steps[i].op() ? steps[i].op()->name : "leaf";
      made_of.push_back(fmt::format("{} {}", name.empty() ? kind : name, steps[i].result.shape()));
    }
    const std::string module = name_of(modules_of(steps, options.names)[k]);
    return fmt::format("; the future first comes in at {} {}, made of {}{}", steps[k].op()->name, result.shape(),
                       join_words(made_of, ", "), module.empty() ? "" : ", in module " + module);
  }
  return "";
}

}  // namespace

Influence influence(const Variable& y, const Variable& x, const InfluenceOptions& options) {
  const int to = axis_of("influence", options.output_axis, y.shape("influence"));
  const int from = axis_of("influence", options.input_axis, x.shape("influence"));
  if (!x.requires_grad())
    fail<ValueError>(
        "influence: the input {} does not require a gradient (of tokens, look at what an embedding makes "
        "of them: first_use(y, table))",
        x.shape());
  if (!y.requires_grad())
    fail<ValueError>("influence: the output {} depends on nothing that requires a gradient", y.shape());
  graph::Trace steps = graph::trace("influence", y);
  const std::size_t index = graph::index_in(steps, x);
  const auto squares_of = [&](std::int64_t position, const Tensor& weights) {
    return squares_along(gradient_at(steps, index, at_position(y, to, position, weights), x), from);
  };
  Generator random(options.seed);
  const std::int64_t positions = y.size(to), numbers = positions == 0 ? 0 : y.numel() / positions;
  const Tensor c = normal({numbers}, random, 0, 1, y.dtype()), each = eye(numbers, y.dtype());
  std::vector<Tensor> rows;
  for (std::int64_t i = 0; i < positions; ++i) {
    Tensor squares = squares_of(i, options.exact ? select(each, 0, 0) : c);
    for (std::int64_t n = 1; options.exact && n < numbers; ++n) squares = squares + squares_of(i, select(each, 0, n));
    rows.push_back(sqrt(squares));
  }
  if (rows.empty()) rows.push_back(zeros({x.size(from)}, DType::f64));
  const Tensor sizes = slice(stack(rows, 0), 0, 0, positions);
  const std::string by = options.exact ? "all numbers of each output" : fmt::format("a c of seed {}", options.seed);
  return {sizes, fmt::format("tried: one input {}, {}", x.shape(), by)};
}

Influence assert_causal(const Variable& y, const Variable& x, const InfluenceOptions& options) {
  Influence found = influence(y, x, options);
  if (found.sizes.size(0) != found.sizes.size(1))
    fail<ShapeError>(
        "assert_causal: there are {} outputs {} and {} inputs {} along the axes of positions, and as many are needed "
        "(of tokens, look not at the table but at what is looked up in it: first_use(y, table), for one sequence)",
        found.sizes.size(0), y.shape(), found.sizes.size(1), x.shape());
  for (std::int64_t i = 0; i < found.sizes.size(0); ++i)
    for (std::int64_t j = i + 1; j < found.sizes.size(1); ++j)
      require_nothing(found, "assert_causal", i, j, [&] { return where_future_comes_in(y, x, i, j, options); });
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
