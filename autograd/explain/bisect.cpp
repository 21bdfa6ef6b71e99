#include "autograd/explain/bisect.h"

#include "autograd/explain/recorded_run.h"
#include "autograd/gradcheck/cotangent.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

using namespace bisecting;

// How the results move, measured over t = h and h/2 and weighted: Σ g·dy for each operation.
std::vector<double> measured_slopes(const RecordedRun& run, const std::vector<Tensor>& weights,
                                    const std::vector<Tensor>& moves, double h) {
  const auto slopes_over = [&](double t) {
    const std::vector<Tensor> above = run.results_when_all_move(t, moves);
    const std::vector<Tensor> below = run.results_when_all_move(-t, moves);
    std::vector<double> slopes;
    for (std::size_t k = 0; k < above.size(); ++k)
      slopes.push_back(sum(weights[k] * (above[k] - below[k])).item() / (2 * t));
    return slopes;
  };
  const std::vector<double> wide = slopes_over(h);
  std::vector<double> slopes = slopes_over(h / 2);
  for (std::size_t k = 0; k < slopes.size(); ++k) slopes[k] = (4 * slopes[k] - wide[k]) / 3;
  return slopes;
}

// The operations whose rule does not agree with what was measured. Rounding may do that too.
std::vector<std::size_t> suspects(const RecordedRun& run, const GradcheckOptions& options) {
  const std::vector<Tensor> moves = run.random_moves(options.seed);
  Generator generator(options.seed + 1);
  std::vector<Tensor> weights;
  for (std::size_t k = 0; k < run.operation_count(); ++k)
    weights.push_back(gradchecks::random_cotangent(run.result(k).shape(), generator));
  const std::vector<double> measured = measured_slopes(run, weights, moves, options.eps);
  std::vector<std::size_t> list;
  for (std::size_t k = 0; k < run.operation_count(); ++k) {
    const double by_rule = run.slope_by_rule(k, weights[k], moves);
    const double difference = std::abs(by_rule - measured[k]);
    if (!(difference <= options.tolerance * std::max(std::abs(by_rule), std::abs(measured[k])))) list.push_back(k);
  }
  return list;
}

class Bisection {
 public:
  Bisection(const RecordedRun& run, BisectReport& report) : run_(run), report_(report) {}

  // Element by element: is this operation wrong?
  void look_closer(std::size_t k) {
    if (const auto i = run_.unrecorded_input_that_moves(k))
      return skip(k, fmt::format("its input {} moves with the others, but how was not recorded (detach, or value()): "
                                 "no gradient flows that way",
                                 *i));
    const std::vector<RecordedRun::Operand> operands = run_.operands(k);
    std::vector<Variable> values;
    for (const RecordedRun::Operand& operand : operands)
      values.emplace_back(run_.node(k).inputs[operand.place].value());
    const GradcheckReport checked = gradcheck(run_.alone(k), values, {.order = 1, .keep_elements = true});
    if (checked.verdict == gradchecks::Verdict::kink || checked.verdict == gradchecks::Verdict::vacuous)
      skip(k, checked.reason);
    else if (!checked.passed())
      blame(k, checked, operands);
  }

 private:
  void skip(std::size_t k, const std::string& reason) {
    report_.not_judged.push_back({&run_.node(k).op, k + 1, reason});
  }

  void blame(std::size_t k, const GradcheckReport& checked, const std::vector<RecordedRun::Operand>& operands) {
    const graph::Node& node = run_.node(k);
    WrongRule wrong{&node.op, k + 1, {}, run_.result(k).shape(), {}, checked.reason};
    for (const Variable& input : node.inputs) wrong.inputs.push_back(input.shape());
    const bool can_experiment = are_small_enough(run_, k);
    const std::vector<Derivatives> all = can_experiment ? derivatives(run_, k) : std::vector<Derivatives>();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const gradchecks::CheckedElement worst = worst_of(checked, i);
      if (!(worst.error > GradcheckOptions{}.tolerance)) continue;
      const Mistake mistake = can_experiment ? likely_mistake(run_, k, all, i)
                                             : Mistake{Mistake::Kind::too_large,
                                                       "too many elements for experiments: make the inputs smaller"};
      wrong.gradients.push_back(
          {operands[i].place, operands[i].origin, worst.index, worst.analytic, worst.numeric, mistake});
    }
    report_.wrong.push_back(std::move(wrong));
  }

  static gradchecks::CheckedElement worst_of(const GradcheckReport& checked, std::size_t input) {
    gradchecks::CheckedElement worst;
    for (const gradchecks::CheckedElement& e : checked.elements)
      if (e.input == input && e.error > worst.error) worst = e;
    return worst;
  }

  const RecordedRun& run_;
  BisectReport& report_;
};

}  // namespace

BisectReport bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                    const std::vector<std::string>& names) {
  const SetRecording always(true);
  const RecordedRun run(f, inputs, names);
  BisectReport report;
  report.operation_count = run.operation_count();
  Bisection bisection(run, report);
  for (const std::size_t k : suspects(run, {})) bisection.look_closer(k);
  report.evaluation_count = run.evaluation_count();
  return report;
}

std::string to_string(const BisectReport& report) {
  const std::size_t judged = report.operation_count - report.not_judged.size();
  const char* which = report.not_judged.empty() ? "" : " that could be judged";
  std::string text;
  if (!report.all_agree())
    text = fmt::format("{} of {} operations {} wrong", report.wrong.size(), report.operation_count,
                       report.wrong.size() == 1 ? "is" : "are");
  else if (judged == 1)
    text = fmt::format("the one operation{} agrees", which);
  else
    text = fmt::format("all {} operations{} agree", judged, which);
  for (const WrongRule& wrong : report.wrong) {
    std::vector<std::string> shapes;
    for (const Shape& shape : wrong.inputs) shapes.push_back(to_string(shape));
    text += fmt::format("\noperation {}, {}: {} → {}, y = {}, rule {}", wrong.number, wrong.op->name,
                        join_words(shapes, ", "), wrong.result, wrong.op->formula, wrong.op->rule);
    if (wrong.gradients.empty()) text += fmt::format("\n  {}", wrong.reason);
    for (const WrongGradient& one : wrong.gradients)
      text += fmt::format(
          "\n  the gradient of its input {} ({}): {}: {}\n  element {}: by the rule {:.6g}, measured {:.6g}", one.input,
          one.origin, name_of(one.mistake.kind), one.mistake.text, one.index, one.by_rule, one.measured);
  }
  for (const NotJudged& one : report.not_judged)
    text += fmt::format("\noperation {}, {}, was not judged: {}", one.number, one.op->name, one.reason);
  return text;
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::BisectReport>::format(const regard::BisectReport& report,
                                                                           fmt::format_context& context) const {
  return write(regard::to_string(report), context);
}
