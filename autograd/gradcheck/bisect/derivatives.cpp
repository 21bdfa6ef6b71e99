#include "autograd/gradcheck/bisect/derivatives.h"

#include "autograd/observe.h"
#include "autograd/ops/view.h"
#include "tensor/create.h"

#include <algorithm>
#include <cmath>

namespace regard::bisecting {
namespace {

using Numbers = std::vector<double>;

// What the rule returns for each gradient that is 1 at one element of the result and 0 elsewhere. Inputs that are one
// value, as in x·x, add up.
std::vector<Numbers> apply_to_units(const graph::Node& node, const Saved& saved,
                                    const std::vector<std::size_t>& places) {
  const NoGrad no_grad;
  const InsideRule guard;
  const Shape y = saved.output.shape();
  const auto columns = static_cast<std::size_t>(y.numel());
  std::vector<Numbers> tables(places.size());
  for (std::size_t p = 0; p < places.size(); ++p)
    tables[p].resize(static_cast<std::size_t>(saved.inputs[places[p]].numel()) * columns);
  for (std::size_t n = 0; n < columns; ++n) {
    Numbers unit(columns, 0);
    unit[n] = 1;
    const graph::Gradients gradients = node.rule(Variable(tensor(unit, y, DType::f64)), saved);
    for (std::size_t p = 0; p < places.size(); ++p)
      for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!node.inputs[i].same_as(node.inputs[places[p]])) continue;
        const Numbers gradient = to_vector(gradients[i].value());
        for (std::size_t m = 0; m < gradient.size(); ++m) tables[p][m * columns + n] += gradient[m];
      }
  }
  return tables;
}

// Slopes over two steps, h and h/2, put together so that the bend cancels, for all elements of the result at once.
Numbers measured(const Function& f, std::vector<Variable> operands, std::size_t moved) {
  const Shape shape = operands[moved].shape();
  const Numbers x = to_vector(operands[moved].value());
  Numbers table;
  for (std::size_t m = 0; m < x.size(); ++m) {
    const double step = GradcheckOptions{}.eps * std::max(1.0, std::abs(x[m]));
    const auto result_at = [&](double value) {
      Numbers changed = x;
      changed[m] = value;
      operands[moved] = Variable(tensor(changed, shape, DType::f64));
      return to_vector(f(operands).value());
    };
    const auto slopes = [&](double h) {
      const double above = x[m] + h, below = x[m] - h;
      Numbers rise = result_at(above);
      const Numbers low = result_at(below);
      for (std::size_t n = 0; n < rise.size(); ++n) rise[n] = (rise[n] - low[n]) / (above - below);
      return rise;
    };
    const Numbers wide = slopes(step), narrow = slopes(step / 2);
    for (std::size_t n = 0; n < wide.size(); ++n) table.push_back((4 * narrow[n] - wide[n]) / 3);
  }
  return table;
}

}  // namespace

bool are_small_enough(const RecordedRun& run, std::size_t k) {
  for (const RecordedRun::Operand& operand : run.operands(k))
    if (run.node(k).inputs[operand.place].numel() > most_rows) return false;
  return run.result(k).numel() <= most_columns;
}

std::vector<Derivatives> derivatives(const RecordedRun& run, std::size_t k) {
  const graph::Node& node = run.node(k);
  std::vector<std::size_t> places;
  std::vector<Variable> values;
  for (const RecordedRun::Operand& operand : run.operands(k)) {
    places.push_back(operand.place);
    values.emplace_back(node.inputs[operand.place].value());
  }
  const std::vector<Numbers> tables = apply_to_units(node, Saved{node.inputs, run.result(k)}, places);
  const Function f = run.alone(k);
  std::vector<Derivatives> list;
  for (std::size_t p = 0; p < places.size(); ++p) {
    list.push_back({values[p].shape(), run.result(k).shape(), places[p], measured(f, values, p), tables[p]});
    Derivatives& d = list.back();
    for (std::size_t i = 0; i < d.measured.size(); ++i)
      if (!std::isfinite(d.measured[i])) d.measured[i] = d.by_rule[i] = 0;
  }
  return list;
}

std::vector<double> by_rule_with_transposed(const RecordedRun& run, std::size_t k, std::size_t place,
                                            std::size_t other) {
  const graph::Node& node = run.node(k);
  graph::Inputs inputs = node.inputs;
  const Tensor turned = transpose(inputs[other].value());
  inputs[other] = inputs[other].requires_grad() ? parameter(turned) : Variable(turned);
  return apply_to_units(node, Saved{inputs, run.result(k)}, {place})[0];
}

}  // namespace regard::bisecting
