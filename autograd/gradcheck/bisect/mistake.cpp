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
    columns.push_back(flatten(run.by_rule(operation, rule, only(y, n, 1))[p]));
  return stack(columns, 1);
}

// How the result moves with each element of the operand p, while all others stand still.
Tensor measured_table(const RecordedRun& run, std::size_t operation, std::size_t p) {
  RecordedRun::Alone alone = run.alone(operation);
  const Tensor x = alone.operands[p].value(), units = maximum(abs(x), 1);
  const std::vector<Tensor> rows = speeds([&](double t) {
    std::vector<Tensor> results;
    for (std::int64_t m = 0; m < x.numel(); ++m) {
      alone.operands[p] = x + units * only(x, m, t);
      results.push_back(flatten(alone.f(alone.operands).value()));
    }
    return results;
  });
  return stack(rows, 0) / reshape(units, {-1, 1});
}

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
    text +=
        fmt::format("{} ∂y{}/∂x{}: {}", i == 0 ? ":" : ";", index_of(d.y.shape(), at % columns),
                    index_of(d.x.shape(), at / columns), both(element_of(d.by_rule, at), element_of(d.measured, at)));
  }
  if (rows > most_rows_drawn || columns > most_columns_drawn) return text;
  text += "\n  each row is an element of x, each column one of y, × is off:";
  for (std::int64_t m = 0; m < rows; ++m) {
    text += fmt::format("\n    {:<10}", index_of(d.x.shape(), m));
    for (std::int64_t n = 0; n < columns; ++n) text += element_of(off, m * columns + n) != 0 ? "×" : "·";
  }
  return text;
}

bool is_square(const Variable& x) { return x.rank() >= 2 && x.size(-1) == x.size(-2); }

// The table as if the last two axes of x (axis 0) or of y (axis 1) were swapped.
Tensor transposed(const Tensor& table, int axis, const Variable& x) {
  return index_select(table, axis, flatten(transpose(reshape(arange(x.numel()), x.shape()))));
}

// The same rule, as if it saw the input i transposed.
graph::Rule with_transposed(const graph::Rule& rule, std::size_t i) {
  return [rule, i](const Variable& gradient, const Saved& saved) {
    graph::Inputs inputs = saved.inputs;
    const Tensor turned = transpose(inputs[i].value());
    inputs[i] = saved.wants(i) ? parameter(turned) : Variable(turned);
    return rule(gradient, {inputs, saved.output});
  };
}

// Would the gradient of the operand p be right if something were exchanged?
std::optional<Mistake> exchanged(const RecordedRun& run, std::size_t operation, std::size_t p, const Derivatives& d) {
  const graph::Node& node = *d.y.node();
  const std::vector<Value::Operand>& operands = run[operation].operands;
  const auto is_right = [&](const Tensor& table) { return agree(table, d.measured); };
  for (std::size_t q = 0; q < operands.size(); ++q) {
    const std::size_t input = operands[q].input;
    if (q != p && node.inputs[input].shape() == d.x.shape() && is_right(table_by_rule(run, operation, node.rule, q)) &&
        agree(d.by_rule, measured_table(run, operation, q)))
      return Mistake{"swapped", fmt::format("it is that of input {}: the two are swapped", input)};
  }
  if (is_square(d.x) && is_right(transposed(d.by_rule, 0, d.x)))
    return Mistake{"transposed", "it is the transposed of the right one"};
  if (is_square(d.y) && is_right(transposed(d.by_rule, 1, d.y)))
    return Mistake{"transposed", "it is made of the transposed of the gradient that arrives: two axes are mixed up"};
  for (std::size_t i = 0; i < node.inputs.size(); ++i)
    if (is_square(node.inputs[i]) && is_right(table_by_rule(run, operation, with_transposed(node.rule, i), p)))
      return Mistake{"transposed", fmt::format("input {} has to be transposed in it", i)};
  return std::nullopt;
}

// Are the derivatives right for some of the indexes along an axis of the result, and 0 for the others?
std::optional<Mistake> partial_sum(const Derivatives& d) {
  for (int axis = 0; axis < d.y.rank(); ++axis) {
    const Shape with_axis{-1, d.y.size(axis), contiguous_strides(d.y.shape())[axis]};
    const Tensor measured = reshape(d.measured, with_axis), by_rule = reshape(d.by_rule, with_axis);
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

Mistake wrong_term(const Derivatives& d) {
  const double nothing = 1e-6 * largest(d.measured);
  const Tensor moves = greater(abs(d.measured), nothing), counts = greater(abs(d.by_rule), nothing);
  const bool leaves_out = largest(moves - counts) > 0 && min(moves - counts).item() >= 0;
  const std::string kind = leaves_out ? "missing term" : "another term";
  if (const Words sum = sum_of_terms(d, d.measured - d.by_rule)) {
    const bool is_double = sum->starts_with("2·") || sum->starts_with("−2·");
    return {kind, *sum + " has to be added to it" + (is_double ? ": does half of it have the wrong sign there?" : "")};
  }
  if (const Words all = sum_of_terms(d, d.measured)) return {kind, "it should be " + *all};
  if (leaves_out)
    return {kind, "it leaves out that elements of the input move elements of the result; " + wrong_entries(d)};
  return {"none of those", "it is none of the mistakes that are tried; " + wrong_entries(d)};
}

}  // namespace

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

// Would the derivatives by the rule be the measured ones if it had made this mistake? One after the other is tried.
Mistake likely_mistake(const RecordedRun& run, std::size_t operation, std::size_t p) {
  const Variable &x = run[run[operation].operands[p].value].x, &y = run[operation].x;
  if (x.numel() > 512 || y.numel() > 4096)
    return {"too large", "too many elements for experiments: make the inputs smaller"};
  const Derivatives d{x, y, measured_table(run, operation, p), table_by_rule(run, operation, y.node()->rule, p)};
  if (!all_finite(d.by_rule))  // first: no number can be compared with NaN
    return {"not finite", "the rule gives NaN or an infinity where the slope is a number"};
  if (agree(d.by_rule, d.measured))  // measured by the largest, so none of the other mistakes can be seen
    return {"small ones", "beside the largest derivatives there is hardly a difference; " + wrong_entries(d)};
  if (largest(d.by_rule) <= 1e-7 * largest(d.measured)) return {"zero", "it is 0: a term is missing"};
  const auto c = ratio(d.measured, d.by_rule);
  if (c && std::abs(*c + 1) < tolerance_of_fits) return {"wrong sign", "it has the wrong sign"};
  if (const Words written = c ? as_written(*c, d) : std::nullopt) {
    const bool is_mean = written->starts_with("1/") && written->find("where") != std::string::npos;
    return {"constant factor",
            fmt::format("it is the right one times {}{}", *written, is_mean ? ": a mean instead of a sum?" : "")};
  }
  if (const auto found = exchanged(run, operation, p, d)) return *found;
  if (const auto found = partial_sum(d)) return *found;
  if (const Words factor = missing_factor(d))
    return {"missing factor", fmt::format("the factor {} is missing", *factor)};
  if (c) return {"constant factor", fmt::format("it is the right one times {:.6g}", *c)};
  return wrong_term(d);
}

}  // namespace regard::bisecting
