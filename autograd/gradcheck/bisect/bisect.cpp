#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/gradcheck/bisect/suspects.h"
#include "autograd/ops/arithmetic.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

using namespace bisecting;

bool is_off(const gradchecks::CheckedElement& e) { return e.error > GradcheckOptions{}.tolerance; }

// One operation among the suspects.
class Suspect {
 public:
  Suspect(const RecordedRun& run, std::size_t k, const Moves& moves)
      : run_(run), moves_(moves), k_(k), node_(run.node(k)), operands_(run.operands(k)) {
    for (const Operand& operand : operands_) values_.emplace_back(node_.inputs[operand.input].value());
    only_finite_ = all_finite(run.result(k).value());
    for (const Variable& x : node_.inputs) only_finite_ = only_finite_ && all_finite(x.value());
  }

  // Is it wrong, looked at element by element? If a number that was taken out explains what was seen, it is not.
  void look_closer(BisectReport& report) const {
    const auto skip = [&](const std::string& reason) { report.not_judged.push_back({&node_.op, k_ + 1, reason}); };
    const std::string unrecorded =
        "it uses a number that moves, but how was not recorded (item(), value() or detach()): no gradient flows that "
        "way";
    if (input_moves_along(run_, k_, moves_)) return skip(unrecorded);
    const GradcheckReport checked = check();
    if (checked.passed()) {
      if (moves_with_others(run_, k_, moves_)) skip(unrecorded);
      return;
    }
    if (checked.verdict != gradchecks::Verdict::fail) return skip(checked.reason);
    WrongRule wrong = blame(checked);
    const auto off = std::ranges::find_if(checked.elements, is_off);
    if (wrong.gradients.empty() && off != checked.elements.end()) return skip(why_no_slope(*off));
    report.wrong.push_back(std::move(wrong));
  }

 private:
  using Operand = RecordedRun::Operand;

  // The operation as a function of the finite part of its operands: what is not finite in them stays as it is, and what
  // is not finite in the result counts as 0.
  GradcheckReport check() const {
    const gradchecks::Function alone = run_.alone(k_);
    const auto f = [&](const std::vector<Variable>& finite) {
      std::vector<Variable> all;
      for (std::size_t i = 0; i < values_.size(); ++i)
        all.push_back(where(is_finite(values_[i].value()), finite[i], values_[i]));
      return where(is_finite(run_.result(k_).value()), alone(all), 0);
    };
    std::vector<Variable> finite;
    for (const Variable& x : values_) finite.emplace_back(finite_part(x.value()));
    return gradcheck(f, finite, {.order = 1, .keep_elements = true});
  }

  WrongRule blame(const GradcheckReport& checked) const {
    WrongRule wrong{&node_.op, k_ + 1, {}, run_.result(k_).shape(), {}, checked.reason};
    wrong.holds_what_moves = holds_what_moves_along(run_, k_, moves_);
    for (const Variable& input : node_.inputs) wrong.inputs.push_back(input.shape());
    std::vector<Derivatives> tables;
    if (are_small_enough(run_, k_)) tables = derivatives(run_, k_);
    for (std::size_t i = 0; i < operands_.size(); ++i) {
      const gradchecks::CheckedElement worst = worst_of(checked, i);
      if (!is_off(worst)) continue;
      Mistake mistake{Mistake::Kind::too_large, "too many elements for experiments: make the inputs smaller"};
      if (!tables.empty()) mistake = likely_mistake(run_, k_, tables, i);
      wrong.gradients.push_back(
          {operands_[i].input, operands_[i].origin, worst.index, worst.analytic, worst.numeric, mistake});
    }
    return wrong;
  }

  std::string why_no_slope(const gradchecks::CheckedElement& e) const {
    if (!only_finite_)
      return "beside numbers that are infinite or NaN no slope tells whether its rule is right: give it others";
    return fmt::format("a small step from element {} of its input {} ends at NaN or an infinity: move it away",
                       index_of(values_[e.input].shape(), e.index), operands_[e.input].input);
  }

  // Of the elements that tell something. Where no slope was measured none does. Beside an infinity, a rule that is
  // right may give NaN as well: ∂a = g·b is 0·∞ where b, and so the result, is infinite.
  gradchecks::CheckedElement worst_of(const GradcheckReport& checked, std::size_t input) const {
    gradchecks::CheckedElement worst;
    for (const gradchecks::CheckedElement& e : checked.elements)
      if (e.input == input && e.error > (1 + 1e-6) * worst.error &&  // of equals the first
          std::isfinite(e.numeric) && (only_finite_ || std::isfinite(e.analytic)))
        worst = e;
    return worst;
  }

  const RecordedRun& run_;
  const Moves& moves_;
  std::size_t k_;
  const graph::Node& node_;
  std::vector<Operand> operands_;
  std::vector<Variable> values_;  // of the operands
  bool only_finite_;
};

std::string told(const WrongRule& wrong) {
  std::vector<std::string> shapes;
  for (const Shape& shape : wrong.inputs) shapes.push_back(to_string(shape));
  std::string text = fmt::format("\noperation {}, {}: {} → {}, y = {}, rule {}", wrong.number, wrong.op->name,
                                 join_words(shapes, ", "), wrong.result, wrong.op->formula, wrong.op->rule);
  if (wrong.gradients.empty()) text += fmt::format("\n  {}", wrong.reason);
  for (const WrongGradient& one : wrong.gradients)
    text += fmt::format("\n  the gradient of its input {} ({}): {}: {}\n  element {}: {}", one.input, one.origin,
                        name_of(one.mistake.kind), one.mistake.text, index_of(wrong.inputs[one.input], one.index),
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
  const RecordedRun run(f, inputs, names);
  const Moves moves = run.random_moves(GradcheckOptions{}.seed);
  BisectReport report;
  report.operation_count = run.operation_count();
  // One use of a wrong rule tells what is wrong with it, and a look at each would take long.
  for (const std::size_t k : suspects(run, moves)) {
    const auto known = std::ranges::find(report.wrong, &run.node(k).op, &WrongRule::op);
    if (known == report.wrong.end())
      Suspect(run, k, moves).look_closer(report);
    else
      ++known->more_uses;
  }
  report.evaluation_count = run.evaluation_count();
  return report;
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
