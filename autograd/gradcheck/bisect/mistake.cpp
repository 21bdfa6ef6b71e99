#include "autograd/gradcheck/bisect/mistake.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/terms.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/ops/order.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::bisecting {
namespace {

using Found = std::optional<Mistake>;

// What a rule returns for each gradient that is 1 at one element of the result, a table for each operand.
std::vector<Tensor> tables_by_rule(const RecordedRun& run, std::size_t operation, const graph::Rule& rule) {
  const Tensor& y = run.value(operation).value();
  std::vector<std::vector<Tensor>> columns(run.operands(operation).size());
  for (std::int64_t n = 0; n < y.numel(); ++n) {
    const std::vector<Tensor> gradients = run.by_rule(operation, rule, only(y, n, 1));
    for (std::size_t p = 0; p < columns.size(); ++p) columns[p].push_back(flatten(gradients[p]));
  }
  std::vector<Tensor> tables;
  for (const std::vector<Tensor>& each : columns) tables.push_back(stack(each, 1));
  return tables;
}

// How the result moves with each element of one operand, while all others stand still.
Tensor measured_table(const Function& alone, std::vector<Variable> operands, std::size_t p) {
  const Tensor x = operands[p].value();
  std::vector<Tensor> rows;
  for (std::int64_t m = 0; m < x.numel(); ++m) {
    const double unit = std::max(1.0, std::abs(element_of(x, m)));
    const std::vector<Tensor> dy = speeds([&](double t) {
      operands[p] = Variable(x + t * only(x, m, unit));
      return std::vector<Tensor>{alone(operands).value()};
    });
    rows.push_back(flatten(dy[0]) / unit);
  }
  return rows.empty() ? Tensor() : stack(rows, 0);
}

bool has_some(const Tensor& marks) { return largest(marks) > 0; }

// Which derivatives are off, the worst first; and in small tables a picture of where they are.
std::string wrong_entries(const Derivatives& d) {
  constexpr std::int64_t most_shown = 5, most_rows_drawn = 12, most_columns_drawn = 60;
  const Tensor allowed = GradcheckOptions{}.tolerance * maximum(abs(d.measured), abs(d.by_rule));
  const Tensor apart = abs(d.measured - d.by_rule), off = greater(apart, allowed + 1e-9 * largest(d.measured));
  const std::int64_t rows = d.x.numel(), columns = d.y.numel();
  const auto count = static_cast<std::int64_t>(sum(off).item());
  std::string text = fmt::format("{} of {} derivatives are off", count, off.numel());
  const Tensor order = argsort(flatten(apart * off), 0, SortOrder::descending);
  for (std::int64_t i = 0; i < std::min(count, most_shown); ++i) {
    const auto at = static_cast<std::int64_t>(element_of(order, i));
    text += fmt::format("{} ∂y{}/∂x{}: {}", i == 0 ? ":" : ";", index_of(d.y, at % columns),
                        index_of(d.x, at / columns), both(element_of(d.by_rule, at), element_of(d.measured, at)));
  }
  if (rows > most_rows_drawn || columns > most_columns_drawn) return text;
  text += "\n  each row is an element of x, each column one of y, × is off:";
  for (std::int64_t m = 0; m < rows; ++m) {
    text += fmt::format("\n    {:<10}", index_of(d.x, m));
    for (std::int64_t n = 0; n < columns; ++n) text += element_of(off, m * columns + n) != 0 ? "×" : "·";
  }
  return text;
}

bool can_be_turned(const Shape& shape) { return shape.rank() >= 2 && shape.back(1) == shape.back(2); }

// Where each element is once the last two axes are swapped.
Tensor turned_indexes(const Shape& shape) { return flatten(transpose(reshape(arange(shape.numel()), shape))); }

// The same rule, as if it saw the input i transposed.
graph::Rule with_transposed(const graph::Rule& rule, std::size_t i) {
  return [rule, i](const Variable& gradient, const Saved& saved) {
    graph::Inputs inputs = saved.inputs;
    const Tensor turned = transpose(inputs[i].value());
    inputs[i] = saved.wants(i) ? parameter(turned) : Variable(turned);
    return rule(gradient, {inputs, saved.output});
  };
}

// Would something be right if it were exchanged?
Found exchanged(const RecordedRun& run, std::size_t operation, const std::vector<Derivatives>& all, std::size_t p) {
  const Derivatives& d = all[p];
  const auto is_right = [&](const Tensor& table) { return agree(table, d.measured); };
  for (const Derivatives& other : all)
    if (&other != &d && other.x == d.x && is_right(other.by_rule) && agree(d.by_rule, other.measured))
      return Mistake{"swapped", fmt::format("it is that of input {}: the two are swapped", other.input)};
  if (can_be_turned(d.x) && is_right(index_select(d.by_rule, 0, turned_indexes(d.x))))
    return Mistake{"transposed", "it is the transposed of the right one"};
  if (can_be_turned(d.y) && is_right(index_select(d.by_rule, 1, turned_indexes(d.y))))
    return Mistake{"transposed", "it is made of the transposed of the gradient that arrives: two axes are mixed up"};
  const graph::Node& node = run.node(operation);
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (can_be_turned(node.inputs[i].shape()) &&
        is_right(tables_by_rule(run, operation, with_transposed(node.rule, i))[p]))
      return Mistake{"transposed", fmt::format("input {} has to be transposed in it", i)};
  return std::nullopt;
}

// Are the derivatives right for some of the indexes along an axis of the result, and 0 for the others?
Found partial_sum(const Derivatives& d) {
  for (int axis = 0; axis < d.y.rank(); ++axis) {
    const auto with_axis = [&](const Tensor& table) {
      return reshape(table, {-1, d.y[axis], contiguous_strides(d.y)[axis]});
    };
    const Tensor measured = with_axis(d.measured), by_rule = with_axis(d.by_rule);
    const Tensor counts = any(greater(abs(by_rule), 1e-7 * largest(measured)), {0, 2}, keepdim);
    if (!agree(measured * counts, by_rule)) continue;
    std::vector<std::int64_t> indexes;
    for (std::int64_t i = 0; i < counts.numel(); ++i)
      if (element_of(counts, i) != 0) indexes.push_back(i);
    return Mistake{"missing sum",
                   fmt::format("of axis {} of the gradient that arrives it counts index {} only: a sum over that axis "
                               "is missing",
                               axis, comma_separated(indexes))};
  }
  return std::nullopt;
}

// Influences that the rule leaves out: derivatives that are 0 by the rule, and measured ones that are not.
bool leaves_out_influences(const Derivatives& d) {
  const double nothing = 1e-6 * largest(d.measured);
  const Tensor is_there = greater(abs(d.measured), nothing), counts = greater(abs(d.by_rule), nothing);
  return has_some(is_there * (1 - counts)) && !has_some(counts * (1 - is_there));
}

Mistake wrong_term(const RecordedRun& run, std::size_t operation, const Derivatives& d) {
  const bool is_missing = leaves_out_influences(d);
  const std::string kind = is_missing ? "missing term" : "another term";
  if (const auto sum = sum_of_terms(run, operation, d, d.measured - d.by_rule)) {
    const bool is_double = sum->starts_with("2·") || sum->starts_with("−2·");
    return {kind, *sum + " has to be added to it" + (is_double ? ": does half of it have the wrong sign there?" : "")};
  }
  if (const auto all = sum_of_terms(run, operation, d, d.measured)) return {kind, "it should be " + *all};
  if (is_missing)
    return {kind, "it leaves out that elements of the input move elements of the result; " + wrong_entries(d)};
  return {"none of those", "it is none of the mistakes that are tried; " + wrong_entries(d)};
}

}  // namespace

double largest(const Tensor& a) { return a.numel() == 0 ? 0 : max(abs(a)).item(); }

bool agree(const Tensor& a, const Tensor& b) {
  return largest(a - b) <= tolerance_of_fits * std::max(largest(a), largest(b));
}

std::optional<double> ratio(const Tensor& a, const Tensor& b) {
  const double c = sum(a * b).item() / sum(square(a)).item();
  return std::isfinite(c) && c != 0 && agree(c * a, b) ? std::optional(c) : std::nullopt;
}

std::string both(double by_rule, double measured) {
  const auto with_digits = [](double x, int digits) { return fmt::format("{:.{}g}", x, digits); };
  const int digits = with_digits(by_rule, 6) == with_digits(measured, 6) ? 9 : 6;
  return fmt::format("by the rule {}, measured {}", with_digits(by_rule, digits), with_digits(measured, digits));
}

std::vector<Derivatives> derivatives(const RecordedRun& run, std::size_t operation) {
  constexpr std::int64_t most_rows = 512, most_columns = 4096;
  const graph::Node& node = run.node(operation);
  const std::vector<Variable> values = run.finite_operands(operation);
  const Shape& y = run.value(operation).shape();
  const auto is_large = [](const Variable& x) { return x.numel() > most_rows; };
  if (y.numel() > most_columns || std::ranges::any_of(values, is_large)) return {};
  const std::vector<Tensor> by_rule = tables_by_rule(run, operation, node.rule);
  std::vector<Derivatives> list;
  const std::vector<RecordedRun::Operand> operands = run.operands(operation);
  for (std::size_t p = 0; p < values.size(); ++p)
    list.push_back(
        {values[p].shape(), y, operands[p].place, measured_table(run.alone(operation), values, p), by_rule[p]});
  return list;
}

// Would the derivatives by the rule be the measured ones if it had made this mistake? One after the other is tried.
Mistake likely_mistake(const RecordedRun& run, std::size_t operation, const std::vector<Derivatives>& all,
                       std::size_t p) {
  const Derivatives& d = all[p];
  if (has_some(1 - is_finite(d.by_rule)))  // first: no number can be compared with NaN
    return {"not finite", "the rule gives NaN or an infinity where the slope is a number"};
  if (agree(d.by_rule, d.measured))  // measured by the largest, so none of the other mistakes can be seen
    return {"small ones", "beside the largest derivatives there is hardly a difference; " + wrong_entries(d)};
  if (largest(d.by_rule) <= 1e-7 * largest(d.measured)) return {"zero", "it is 0: a term is missing"};
  const auto c = ratio(d.measured, d.by_rule);
  if (c && std::abs(*c + 1) < tolerance_of_fits) return {"wrong sign", "it has the wrong sign"};
  if (const auto written = c ? as_written(*c, d) : std::nullopt) {
    const bool is_mean = written->starts_with("1/") && written->find("where") != std::string::npos;
    return {"constant factor",
            fmt::format("it is the right one times {}{}", *written, is_mean ? ": a mean instead of a sum?" : "")};
  }
  if (const Found found = exchanged(run, operation, all, p)) return *found;
  if (const Found found = partial_sum(d)) return *found;
  if (const auto factor = missing_factor(run, operation, d))
    return {"missing factor", fmt::format("the factor {} is missing", *factor)};
  if (c) return {"constant factor", fmt::format("it is the right one times {:.6g}", *c)};
  return wrong_term(run, operation, d);
}

}  // namespace regard::bisecting
