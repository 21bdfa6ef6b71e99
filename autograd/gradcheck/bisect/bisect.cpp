#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/finite.h"
#include "autograd/gradcheck/bisect/recorded_run.h"
#include "autograd/gradcheck/bisect/suspects.h"
#include "autograd/gradcheck/bisect/unrecorded.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

using namespace bisecting;

// "element [1, 2]: ", or nothing for a single number.
std::string element_in(const Shape& shape, std::int64_t index) {
  return shape.rank() == 0 ? "" : fmt::format("element {}: ", index_of(shape, index));
}

// NaN has a sign, which says nothing.
std::string with_digits(double x) { return std::isnan(x) ? "NaN" : fmt::format("{:.6g}", x); }

class Bisection {
 public:
  Bisection(const RecordedRun& run, BisectReport& report)
      : run_(run), report_(report), moves_(run.random_moves(GradcheckOptions{}.seed)) {}

  // One use of a wrong rule tells what is wrong with it, and a look at each would take long.
  void look_for_wrong_rules() {
    for (const std::size_t k : suspects(run_, moves_)) {
      const auto known = std::ranges::find(report_.wrong, &run_.node(k).op, &WrongRule::op);
      if (known == report_.wrong.end())
        look_closer(k);
      else
        ++known->more_uses;
    }
  }

 private:
  // Element by element: is this operation wrong? If a number that was taken out explains what was seen, it is not.
  void look_closer(std::size_t k) {
    if (const auto reason = unrecorded_with_operands(run_, k, step, moves_)) return skip(k, *reason);
    const auto from_elsewhere = unrecorded_with_others(run_, k, step, moves_);
    if (from_elsewhere && agrees_alone(run_, k, moves_)) return skip(k, *from_elsewhere);
    const std::vector<RecordedRun::Operand> operands = run_.operands(k);
    std::vector<Variable> values;
    for (const RecordedRun::Operand& operand : operands)
      values.emplace_back(run_.node(k).inputs[operand.place].value());
    const GradcheckReport checked = check(run_.alone(k), values, has_only_finite(k));
    if (checked.verdict == gradchecks::Verdict::kink || checked.verdict == gradchecks::Verdict::vacuous)
      skip(k, checked.reason);
    else if (!checked.passed())
      blame(k, checked, operands);
    else if (from_elsewhere)
      skip(k, *from_elsewhere);
  }

  static GradcheckReport check(const gradchecks::Function& f, const std::vector<Variable>& values, bool only_finite) {
    const GradcheckOptions options{.order = 1, .keep_elements = true};
    if (only_finite) return gradcheck(f, values, options);
    std::vector<Variable> finite;
    for (const Variable& x : values) finite.emplace_back(finite_part(x.value()));
    return gradcheck(of_finite_part(f, values), finite, options);
  }

  bool has_only_finite(std::size_t k) const {
    return all_finite(run_.result(k).value()) &&
           std::ranges::all_of(run_.node(k).inputs, [](const Variable& x) { return all_finite(x.value()); });
  }

  void skip(std::size_t k, const std::string& reason) {
    report_.not_judged.push_back({&run_.node(k).op, k + 1, reason});
  }

  void blame(std::size_t k, const GradcheckReport& checked, const std::vector<RecordedRun::Operand>& operands) {
    const graph::Node& node = run_.node(k);
    WrongRule wrong{&node.op, k + 1, {}, run_.result(k).shape(), {}, checked.reason};
    wrong.rule_moves = rule_moves_with_operands(run_, k, step, moves_);
    for (const Variable& input : node.inputs) wrong.inputs.push_back(input.shape());
    const bool can_experiment = are_small_enough(run_, k);
    const std::vector<Derivatives> all = can_experiment ? derivatives(run_, k) : std::vector<Derivatives>();
    for (std::size_t i = 0; i < operands.size(); ++i) {
      const gradchecks::CheckedElement worst = worst_of(checked, i, has_only_finite(k));
      if (!is_off(worst)) continue;
      const Mistake mistake = can_experiment ? likely_mistake(run_, k, all, i)
                                             : Mistake{Mistake::Kind::too_large,
                                                       "too many elements for experiments: make the inputs smaller"};
      wrong.gradients.push_back(
          {operands[i].place, operands[i].origin, worst.index, worst.analytic, worst.numeric, mistake});
    }
    const auto off = std::ranges::find_if(checked.elements, is_off);
    if (wrong.gradients.empty() && off != checked.elements.end())
      skip(k, why_not_told(*off, operands[off->input].place, node.inputs[operands[off->input].place].shape()));
    else
      report_.wrong.push_back(std::move(wrong));
  }

  static bool is_off(const gradchecks::CheckedElement& e) { return e.error > GradcheckOptions{}.tolerance; }

  // Of the elements that tell something. Where no slope was measured none does. Beside an infinity, a rule that is
  // right may give NaN as well: ∂a = g·b is 0·∞ where b, and so the result, is infinite.
  static gradchecks::CheckedElement worst_of(const GradcheckReport& checked, std::size_t input, bool only_finite) {
    gradchecks::CheckedElement worst;
    for (const gradchecks::CheckedElement& e : checked.elements)
      if (e.input == input && e.error > (1 + 1e-6) * worst.error &&  // of equals the first
          std::isfinite(e.numeric) && (only_finite || std::isfinite(e.analytic)))
        worst = e;
    return worst;
  }

  static std::string why_not_told(const gradchecks::CheckedElement& e, std::size_t place, const Shape& shape) {
    const std::string where = fmt::format("its input {}{}", place, index_of(shape, e.index));
    if (!std::isfinite(e.numeric))
      return fmt::format("when {} moves a little, the result is not finite, so no slope can be measured; move it away",
                         where);
    return fmt::format(
        "an input or the result is infinite or NaN, and the rule gives {} for {}: a right rule may do "
        "that, too; give it finite numbers",
        with_digits(e.analytic), where);
  }

  static constexpr double step = 1e-6;  // of the moves that show whether something moves at all

  const RecordedRun& run_;
  BisectReport& report_;
  std::vector<Tensor> moves_;  // of all values that can be moved
};

}  // namespace

BisectReport bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                    const std::vector<std::string>& names) {
  const SetRecording always(true);
  const RecordedRun run(f, inputs, names);
  BisectReport report;
  report.operation_count = run.operation_count();
  Bisection(run, report).look_for_wrong_rules();
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
      text += fmt::format("\n  the gradient of its input {} ({}): {}: {}\n  {}by the rule {}, measured {}", one.input,
                          one.origin, name_of(one.mistake.kind), one.mistake.text,
                          element_in(wrong.inputs[one.input], one.index), with_digits(one.by_rule),
                          with_digits(one.measured));
    if (wrong.rule_moves)
      text +=
          "\n  the rule holds something that moves with its inputs: if it was taken out by item() or value(), no "
          "gradient flows that way, and the rule may be right";
    if (wrong.more_uses > 0)
      text += fmt::format("\n  {} more use{} of it disagree{}, too, and {} not examined one by one", wrong.more_uses,
                          wrong.more_uses == 1 ? "" : "s", wrong.more_uses == 1 ? "s" : "",
                          wrong.more_uses == 1 ? "was" : "were");
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
