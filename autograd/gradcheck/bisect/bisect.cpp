#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/gradcheck/bisect/recorded_run.h"
#include "autograd/gradcheck/bisect/suspects.h"
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

bool is_off(const gradchecks::CheckedElement& e) { return e.error > GradcheckOptions{}.tolerance; }

std::string why_not_told(const gradchecks::CheckedElement& e, std::size_t input, const Shape& shape) {
  const std::string where = fmt::format("its input {}{}", input, index_of(shape, e.index));
  if (!std::isfinite(e.numeric))
    return fmt::format("when {} moves a little, the result is not finite, so no slope can be measured; move it away",
                       where);
  return fmt::format(
      "an input or the result is infinite or NaN, and the rule gives {} for {}: a right rule may do that, too; give it "
      "finite numbers",
      with_digits(e.analytic), where);
}

// One operation among the suspects.
class Suspect {
 public:
  Suspect(const RecordedRun& run, std::size_t k, const Moves& moves)
      : run_(run), moves_(moves), k_(k), node_(run.node(k)), operands_(run.operands(k)) {
    only_finite_ = all_finite(run.result(k).value());
    for (const Variable& x : node_.inputs) only_finite_ = only_finite_ && all_finite(x.value());
  }

  // Is it wrong, looked at element by element? If a number that was taken out explains what was seen, it is not.
  void look_closer(BisectReport& report) const {
    const auto skip = [&](const std::string& reason) { report.not_judged.push_back({&node_.op, k_ + 1, reason}); };
    if (const auto reason = unrecorded_with_operands(run_, k_, moves_)) return skip(*reason);
    const auto from_elsewhere = unrecorded_with_others(run_, k_, moves_);
    if (from_elsewhere && agrees_alone(run_, k_, moves_)) return skip(*from_elsewhere);
    const GradcheckReport checked = check();
    if (checked.verdict == gradchecks::Verdict::kink || checked.verdict == gradchecks::Verdict::vacuous)
      return skip(checked.reason);
    if (checked.passed()) {
      if (from_elsewhere) skip(*from_elsewhere);
      return;
    }
    WrongRule wrong = blame(checked);
    const auto off = std::ranges::find_if(checked.elements, is_off);
    if (!wrong.gradients.empty() || off == checked.elements.end()) return report.wrong.push_back(std::move(wrong));
    const std::size_t input = operands_[off->input].input;
    skip(why_not_told(*off, input, node_.inputs[input].shape()));
  }

 private:
  GradcheckReport check() const {
    const GradcheckOptions options{.order = 1, .keep_elements = true};
    std::vector<Variable> values, finite;
    for (const RecordedRun::Operand& operand : operands_) {
      values.emplace_back(node_.inputs[operand.input].value());
      finite.emplace_back(finite_part(values.back().value()));
    }
    return only_finite_ ? gradcheck(run_.alone(k_), values, options)
                        : gradcheck(of_finite_part(run_.alone(k_), values), finite, options);
  }

  WrongRule blame(const GradcheckReport& checked) const {
    WrongRule wrong{&node_.op, k_ + 1, {}, run_.result(k_).shape(), {}, checked.reason};
    wrong.rule_moves = rule_moves_with_operands(run_, k_, moves_);
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
  std::vector<RecordedRun::Operand> operands_;
  bool only_finite_ = true;
};

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
      text += fmt::format(
          "\n  {} more {} not examined one by one", wrong.more_uses,
          wrong.more_uses == 1 ? "use of it disagrees, too, and was" : "uses of it disagree, too, and were");
  }
  for (const NotJudged& one : report.not_judged)
    text += fmt::format("\noperation {}, {}, was not judged: {}", one.number, one.op->name, one.reason);
  return text;
}

GradcheckReport with_wrong_rule(GradcheckReport failed, const gradchecks::Function& f,
                                const std::vector<Variable>& inputs, const std::vector<std::string>& names) {
  BisectReport found = bisect(f, inputs, names);
  if (found.all_agree())
    failed.reason += "\n  no rule is wrong by itself: does a number leave the record by item(), value() or detach()?";
  else
    found.not_judged.clear();
  failed.reason += "\nbisect: " + to_string(found);
  return failed;
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::BisectReport>::format(const regard::BisectReport& report,
                                                                           fmt::format_context& context) const {
  return write(regard::to_string(report), context);
}
