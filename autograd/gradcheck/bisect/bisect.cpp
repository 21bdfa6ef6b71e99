#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/gradcheck/bisect/mistake.h"
#include "autograd/gradcheck/bisect/suspects.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

using namespace bisecting;
using gradchecks::CheckedElement;

bool is_off(const CheckedElement& e) { return e.error > GradcheckOptions{}.tolerance; }

bool only_finite(const RecordedRun& run, std::size_t operation) {
  const auto is_so = [](const Variable& x) { return all_finite(x.value()); };
  return is_so(run.value(operation)) && std::ranges::all_of(run.node(operation).inputs, is_so);
}

// Of those elements of an operand that tell something. Where no slope was measured none does. Beside an infinity, a
// rule that is right may give NaN as well: ∂a = g·b is 0·∞ where b, and so the result, is infinite.
CheckedElement worst_of(const std::vector<CheckedElement>& elements, std::size_t operand, bool is_nan_wrong) {
  CheckedElement worst;
  for (const CheckedElement& e : elements)
    if (e.input == operand && e.error > (1 + 1e-6) * worst.error &&  // of equals the first
        std::isfinite(e.numeric) && (is_nan_wrong || std::isfinite(e.analytic)))
      worst = e;
  return worst;
}

class Search {
 public:
  Search(const gradchecks::Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names)
      : run_(f, inputs), names_(names) {}

  BisectReport result() {
    report_.operation_count = run_.end() - run_.first_operation();
    // One use of a wrong rule tells what is wrong with it, and a look at each would take long.
    for (const std::size_t operation : suspects(run_)) {
      const auto known = std::ranges::find(report_.wrong, &run_.node(operation).op, &WrongRule::op);
      if (known == report_.wrong.end())
        look_closer(operation);
      else
        ++known->more_uses;
    }
    report_.evaluation_count = run_.evaluation_count();
    return report_;
  }

 private:
  std::size_t number_of(std::size_t operation) const { return operation - run_.first_operation() + 1; }

  void skip(std::size_t operation, const std::string& reason) {
    report_.not_judged.push_back({&run_.node(operation).op, number_of(operation), reason});
  }

  // Is it wrong, looked at element by element? If a number that was taken out explains what was seen, it is not.
  void look_closer(std::size_t operation) {
    const std::string unrecorded =
        "it uses a number that moves, but how was not recorded (item(), value() or detach()): no gradient flows that "
        "way";
    if (input_moves_along(run_, operation)) return skip(operation, unrecorded);
    const GradcheckReport checked =
        gradcheck(run_.alone(operation), run_.finite_operands(operation), {.order = 1, .keep_elements = true});
    if (checked.passed() && moves_with_others(run_, operation)) return skip(operation, unrecorded);
    if (checked.passed()) return;
    if (checked.verdict != gradchecks::Verdict::fail) return skip(operation, checked.reason);
    const std::vector<WrongGradient> gradients = wrong_gradients(operation, checked.elements);
    const auto off = std::ranges::find_if(checked.elements, is_off);
    if (gradients.empty() && off != checked.elements.end()) return skip(operation, why_no_slope(operation, *off));
    report_.wrong.push_back({&run_.node(operation).op, number_of(operation), run_.value(operation), gradients,
                             checked.reason, holds_what_moves_along(run_, operation)});
  }

  std::vector<WrongGradient> wrong_gradients(std::size_t operation, const std::vector<CheckedElement>& elements) const {
    const std::vector<Derivatives> tables = derivatives(run_, operation);
    const std::vector<RecordedRun::Operand> operands = run_.operands(operation);
    std::vector<WrongGradient> list;
    for (std::size_t p = 0; p < operands.size(); ++p) {
      const CheckedElement worst = worst_of(elements, p, only_finite(run_, operation));
      if (!is_off(worst)) continue;
      const Mistake mistake = tables.empty()
                                  ? Mistake{"too large", "too many elements for experiments: make the inputs smaller"}
                                  : likely_mistake(run_, operation, tables, p);
      list.push_back({operands[p].place, run_.origin(operands[p].value, names_), worst.index, worst.analytic,
                      worst.numeric, mistake});
    }
    return list;
  }

  std::string why_no_slope(std::size_t operation, const CheckedElement& e) const {
    if (!only_finite(run_, operation))
      return "beside numbers that are infinite or NaN no slope tells whether its rule is right: give it others";
    const RecordedRun::Operand operand = run_.operands(operation)[e.input];
    return fmt::format("a small step from element {} of its input {} ends at NaN or an infinity: move it away",
                       index_of(run_.value(operand.value).shape(), e.index), operand.place);
  }

  RecordedRun run_;
  const std::vector<std::string>& names_;
  BisectReport report_;
};

std::string told(const WrongRule& wrong) {
  const graph::Inputs& inputs = wrong.result.node()->inputs;
  std::vector<std::string> shapes;
  for (const Variable& input : inputs) shapes.push_back(to_string(input.shape()));
  std::string text = fmt::format("\noperation {}, {}: {} → {}, y = {}, rule {}", wrong.number, wrong.op->name,
                                 join_words(shapes, ", "), wrong.result.shape(), wrong.op->formula, wrong.op->rule);
  if (wrong.gradients.empty()) text += fmt::format("\n  {}", wrong.reason);
  for (const WrongGradient& one : wrong.gradients)
    text += fmt::format("\n  the gradient of its input {} ({}): {}: {}\n  element {}: {}", one.input, one.origin,
                        one.mistake.kind, one.mistake.text, index_of(inputs[one.input].shape(), one.index),
                        both(one.by_rule, one.measured));
  if (wrong.holds_what_moves)
    text +=
        "\n  it may hold a number that moves with its inputs: if it was taken out by item() or value(), no "
        "gradient flows that way, and the rule may be right";
  if (wrong.more_uses > 0) text += fmt::format("\n  more uses of it that disagree: {}", wrong.more_uses);
  return text;
}

}  // namespace

BisectReport bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                    const std::vector<std::string>& names) {
  const SetRecording always(true);
  return Search(f, inputs, names).result();
}

std::string to_string(const BisectReport& report) {
  std::string text = fmt::format(
      "{} of {} operations{} {} wrong", report.wrong.size(), report.operation_count - report.not_judged.size(),
      report.not_judged.empty() ? "" : " that could be judged", report.wrong.size() == 1 ? "is" : "are");
  for (const WrongRule& wrong : report.wrong) text += told(wrong);
  for (const NotJudged& one : report.not_judged)
    text += fmt::format("\noperation {}, {}, was not judged: {}", one.number, one.op->name, one.reason);
  return text;
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::BisectReport>::format(const regard::BisectReport& report,
                                                                           fmt::format_context& context) const {
  return write(regard::to_string(report), context);
}
