#include "autograd/gradcheck/bisect/table.h"

#include "autograd/elements.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>

namespace regard::bisecting {
namespace {

// What the rule returns for each gradient that is 1 at one element of the result, a table for each operand.
std::vector<Tensor> tables_by_rule(const RecordedRun& run, std::size_t k, const Variable& result) {
  std::vector<std::vector<Tensor>> columns(run.operands(k).size());
  for (std::int64_t n = 0; n < result.numel(); ++n) {
    const std::vector<Tensor> gradients = run.by_rule(k, result, regard::only(result.value(), n, 1));
    for (std::size_t p = 0; p < gradients.size(); ++p) columns[p].push_back(flatten(gradients[p]));
  }
  std::vector<Tensor> tables;
  for (const std::vector<Tensor>& each : columns) tables.push_back(stack(each, 1));
  return tables;
}

// How the result moves with each element of one operand, while all others stand still.
Tensor measured_table(const RecordedRun& run, std::size_t k, std::vector<Variable> operands, std::size_t moved) {
  const Function f = run.alone(k);
  const Tensor x = operands[moved].value();
  std::vector<Tensor> rows;
  for (std::int64_t m = 0; m < x.numel(); ++m) {
    const double unit = std::max(1.0, std::abs(element_of(x, m)));
    const Tensor direction = regard::only(x, m, unit);
    const std::vector<Tensor> dy = speeds([&](double t) {
      operands[moved] = Variable(x + t * direction);
      return std::vector<Tensor>{f(operands).value()};
    });
    rows.push_back(flatten(dy[0]) / unit);
  }
  return stack(rows, 0);
}

}  // namespace

std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at) {
  // What stays the same does not move, even if it is infinite: −∞ − −∞ would be NaN.
  const auto over = [&](double t) {
    std::vector<Tensor> above = at(t);
    const std::vector<Tensor> below = at(-t);
    for (std::size_t i = 0; i < above.size(); ++i)
      above[i] = where(equal(above[i], below[i]), 0, above[i] - below[i]) / (2 * t);
    return above;
  };
  const double step = GradcheckOptions{}.eps;
  const std::vector<Tensor> wide = over(step);
  std::vector<Tensor> narrow = over(step / 2);
  for (std::size_t i = 0; i < narrow.size(); ++i) narrow[i] = (4 * narrow[i] - wide[i]) / 3;
  return narrow;
}

bool are_small_enough(const RecordedRun& run, std::size_t k) {
  for (const RecordedRun::Operand& operand : run.operands(k))
    if (run.node(k).inputs[operand.input].numel() > most_rows) return false;
  return run.result(k).numel() <= most_columns;
}

std::vector<Derivatives> derivatives(const RecordedRun& run, std::size_t k) {
  const std::vector<RecordedRun::Operand> operands = run.operands(k);
  const std::vector<Tensor> by_rule = tables_by_rule(run, k, run.result(k));
  std::vector<Variable> values;
  for (const RecordedRun::Operand& operand : operands) values.emplace_back(run.node(k).inputs[operand.input].value());
  std::vector<Derivatives> list;
  for (std::size_t p = 0; p < operands.size(); ++p) {
    list.push_back({values[p].shape(), run.result(k).shape(), operands[p].input, {}, {}});
    if (values[p].numel() == 0) continue;
    const Tensor measured = measured_table(run, k, values, p);
    list.back().measured = finite_part(measured);
    list.back().by_rule = where(is_finite(measured), by_rule[p], 0);
  }
  return list;
}

std::vector<Tensor> by_rule_with_transposed(const RecordedRun& run, std::size_t k, std::size_t other) {
  const graph::Node& node = run.node(k);
  graph::Inputs inputs = node.inputs;
  const Tensor turned = transpose(inputs[other].value());
  inputs[other] = inputs[other].requires_grad() ? parameter(turned) : Variable(turned);
  return tables_by_rule(run, k, record(node.op, inputs, run.result(k).value(), node.rule));
}

double largest(const Tensor& a) { return a.numel() == 0 ? 0 : max(abs(a)).item(); }

bool agree(const Tensor& a, const Tensor& b, double tolerance) {
  return largest(a - b) <= tolerance * std::max(largest(a), largest(b));
}

std::optional<double> ratio(const Tensor& a, const Tensor& b, double tolerance) {
  const double c = sum(a * b).item() / sum(square(a)).item();
  if (!std::isfinite(c) || c == 0 || !agree(c * a, b, tolerance)) return std::nullopt;
  return c;
}

}  // namespace regard::bisecting
