#include "autograd/gradcheck/bisect/mistake.h"

#include "autograd/elements.h"
#include "tensor/all.h"

#include <cmath>

namespace regard::bisecting {
namespace {

// What a rule returns for each gradient that is 1 at one element of the result.
Tensor table_by_rule(const RecordedRun& run, std::size_t operation, const graph::Rule& rule, std::size_t p) {
  const Tensor& y = run[operation].x.value();
  std::vector<Tensor> columns;
  for (std::int64_t n = 0; n < y.numel(); ++n)
    columns.push_back(flatten(run.by_rule(operation, rule, only(y, n, 1))[p].value()));
  return stack(columns, 1);
}

// How the result moves with each element of the operand p, while all others stand still.
Tensor measured_table(const RecordedRun& run, std::size_t operation, std::size_t p) {
  std::vector<Variable> operands = run.operands(operation);
  const Tensor x = operands[p].value(), units = maximum(abs(x), 1);
  const std::vector<Tensor> rows = speeds([&](double t) {
    std::vector<Tensor> results;
    for (std::int64_t m = 0; m < x.numel(); ++m) {
      operands[p] = x + units * only(x, m, t);
      results.push_back(flatten(run.alone(operation, operands).value()));
    }
    return results;
  });
  return stack(rows, 0) / reshape(units, {-1, 1});
}

// How many derivatives are off, and which the most; and in small tables a picture of where they are.
std::string wrong_entries(const Derivatives& d) {
  const Tensor allowed = GradcheckOptions{}.tolerance * maximum(abs(d.measured), abs(d.by_rule));
  const Tensor apart = abs(d.measured - d.by_rule), off = greater(apart, allowed + 1e-9 * largest(d.measured));
  const std::int64_t rows = d.x.numel(), columns = d.y.numel(), worst = largest_of(apart * off);
  std::string text =
      fmt::format("{} of {} derivatives are off, the most ∂y{}/∂x{}: by the rule {:.8g}, measured {:.8g}",
                  sum(off).item(), off.numel(), index_of(d.y.shape(), worst % columns),
                  index_of(d.x.shape(), worst / columns), element_of(d.by_rule, worst), element_of(d.measured, worst));
  if (rows > 12 || columns > 60) return text;
  text += "\n  each row is an element of x, each column one of y, × is off:";
  for (std::int64_t m = 0; m < rows; ++m) {
    text += fmt::format("\n    {:<10}", index_of(d.x.shape(), m));
    for (std::int64_t n = 0; n < columns; ++n) text += element_of(off, m * columns + n) != 0 ? "×" : "·";
  }
  return text;
}

bool is_square(const Variable& x) { return is_float(x.dtype()) && x.rank() >= 2 && x.size(-1) == x.size(-2); }

// Would the gradient of the operand p be right if something were exchanged?
Words exchanged(const RecordedRun& run, std::size_t operation, std::size_t p, const Derivatives& d) {
  const graph::Node& node = *d.y.node();
  const std::vector<Value::Operand>& operands = run[operation].operands;
  const auto is_right = [&](const Tensor& table) { return agree(table, d.measured); };
  for (std::size_t q = 0; q < operands.size(); ++q) {
    const std::size_t input = operands[q].input;
    if (q != p && node.inputs[input].shape() == d.x.shape() && is_right(table_by_rule(run, operation, node.rule, q)) &&
        agree(d.by_rule, measured_table(run, operation, q)))
      return fmt::format("it is that of input {}: the two are swapped", input);
  }
  // The table as if the last two axes of x (axis 0) or of y (axis 1) were swapped.
  const auto is_right_turned = [&](int axis, const Variable& x) {
    const Tensor places = flatten(transpose(reshape(arange(x.numel()), x.shape())));
    return is_right(index_select(d.by_rule, axis, places));
  };
  if (is_square(d.x) && is_right_turned(0, d.x)) return "it is the transposed of the right one";
  if (is_square(d.y) && is_right_turned(1, d.y)) return "two axes of the gradient that arrives are swapped in it";
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const graph::Rule with_transposed = [&](const Variable& gradient, const Saved& saved) {
      graph::Inputs inputs = saved.inputs;
      inputs[i] = parameter(transpose(inputs[i].value()));
      return node.rule(gradient, {inputs, saved.output});
    };
    if (is_square(node.inputs[i]) && is_right(table_by_rule(run, operation, with_transposed, p)))
      return fmt::format("input {} has to be transposed in it", i);
  }
  return std::nullopt;
}

// Are the derivatives right for some of the indexes along an axis of the result, and 0 for the others?
Words partial_sum(const Derivatives& d) {
  for (int axis = 0; axis < d.y.rank(); ++axis) {
    const Shape with_axis{-1, d.y.size(axis), contiguous_strides(d.y.shape())[axis]};
    const Tensor measured = reshape(d.measured, with_axis), by_rule = reshape(d.by_rule, with_axis);
    const Tensor counts = any(greater(abs(by_rule), 1e-7 * largest(measured)), {0, 2}, keepdim);
    if (agree(measured * counts, by_rule))
      return fmt::format("of axis {} of the gradient that arrives it counts {} of {} indexes: sum over all of them",
                         axis, sum(counts).item(), counts.numel());
  }
  return std::nullopt;
}

}  // namespace

bool agree(const Tensor& a, const Tensor& b) {
  return largest(a - b) <= tolerance_of_fits * std::max(largest(a), largest(b));
}

std::optional<double> ratio(const Tensor& a, const Tensor& b) {
  const double c = sum(a * b).item() / sum(square(a)).item();
  return std::isfinite(c) && c != 0 && agree(c * a, b) ? std::optional(c) : std::nullopt;
}

// Would the derivatives by the rule be the measured ones if it had made this mistake? One after the other is tried.
std::string likely_mistake(const RecordedRun& run, std::size_t operation, std::size_t p) {
  const Variable &x = run[run[operation].operands[p].value].x, &y = run[operation].x;
  if (x.numel() > 512 || y.numel() > 4096) return "too many elements for experiments: make the inputs smaller";
  const Derivatives d{x, y, measured_table(run, operation, p), table_by_rule(run, operation, y.node()->rule, p)};
  if (!all_finite(d.by_rule))  // first: no number can be compared with NaN
    return "the rule gives NaN or an infinity where the slope is a number";
  if (agree(d.by_rule, d.measured))  // measured by the largest, so none of the other mistakes can be seen
    return "beside the largest derivatives there is hardly a difference; " + wrong_entries(d);
  if (largest(d.by_rule) <= 1e-7 * largest(d.measured)) return "it is 0: a term is missing";
  const auto c = ratio(d.measured, d.by_rule);
  if (const Words written = c ? as_written(*c, d) : std::nullopt) return "it is the right one times " + *written;
  if (const Words found = exchanged(run, operation, p, d)) return *found;
  if (const Words found = partial_sum(d)) return *found;
  if (const Words factor = missing_factor(d)) return fmt::format("the factor {} is missing", *factor);
  if (c) return fmt::format("it is the right one times {:.6g}", *c);
  if (const Words sum = sum_of_terms(d, d.measured - d.by_rule)) return *sum + " has to be added to it";
  if (const Words all = sum_of_terms(d, d.measured)) return "it should be " + *all;
  const double nothing = 1e-6 * largest(d.measured);
  const Tensor missing = greater(abs(d.measured), nothing) - greater(abs(d.by_rule), nothing);
  const bool leaves_out = max(missing).item() > 0 && min(missing).item() >= 0;
  return (leaves_out ? "it leaves out that elements of the input move elements of the result; "
                     : "it is none of the mistakes that are tried; ") +
         wrong_entries(d);
}

}  // namespace regard::bisecting
