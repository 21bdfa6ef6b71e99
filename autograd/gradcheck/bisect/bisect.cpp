#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/mistake.h"
#include "autograd/gradcheck/slopes.h"
#include "tensor/all.h"

#include <algorithm>
#include <cmath>

namespace regard {
namespace {

using namespace bisecting;

const GradcheckOptions options;

// Operations for which Σ ∂x·dx is not what was measured as Σ g·dy. Rounding may make one a suspect, too.
std::vector<std::size_t> suspects(const RecordedRun& run) {
  std::vector<std::size_t> found;
  const auto speeds_while = [&](const Moves& moves) {
    return speeds([&](double t) { return run.moved(t, moves).computed; });
  };
  const std::vector<Tensor> dy = speeds_while([](std::size_t) { return true; });
  for (std::size_t n = 0; n < run.size(); ++n) {
    const Value& y = run[n];
    if (y.number == 0) continue;
    // g is larger where the result moves slowly, by up to a hundred: the large elements do not drown a mistake there.
    const double fastest = largest(dy[n]);
    const Tensor speed = abs(dy[n]) / (fastest == 0 ? 1 : fastest);
    Generator random(options.seed + 1 + y.number);
    const Tensor g = gradchecks::random_cotangent(y.x.shape(), random) / maximum(speed, 1e-2);
    // Rounding of the result, a few times 2⁻⁵² of its size, is divided by the step.
    const double rounding = 8 * 0x1p-52 * largest(finite_part(y.x.value()));
    const double noise = rounding / options.eps * length_of(g);
    const auto agree = [&](double by_rule, const Tensor& moved) {
      const double measured = sum(g * moved).item(), size = std::max(std::abs(by_rule), std::abs(measured));
      return std::abs(by_rule - measured) <= options.tolerance * size + noise;
    };
    const std::vector<Variable> gradients = run.by_rule(n, y.node().rule, g);
    std::vector<Tensor> shares;
    double by_rule = 0;
    for (std::size_t p = 0; p < gradients.size(); ++p) {
      shares.push_back(gradients[p].value() * run[y.operands[p].value].direction);
      by_rule += sum(shares[p]).item();
    }
    bool is_suspect = !agree(by_rule, dy[n]);
    for (std::size_t p = 0; p < shares.size() && !is_suspect; ++p) {
      if (sum(abs(shares[p])).item() >= 1e-3 * std::abs(by_rule)) continue;  // a mistake in it would have shown
      const Moves alone = [operand = y.operands[p].value](std::size_t value) { return value == operand; };
      is_suspect = !agree(sum(shares[p]).item(), speeds_while(alone)[n]);
    }
    if (is_suspect) found.push_back(n);
  }
  return found;
}

// Is the rule of a suspect wrong? It is looked at element by element. But where a value leaves the record, by item(),
// value() or detach(), and comes back as a number, no gradient flows. That may be meant or not; how the result then
// moves says nothing about the rule.
void look_closer(const RecordedRun& run, std::size_t operation, BisectReport& report) {
  const Value& y = run[operation];
  const graph::Node& node = y.node();
  const auto skip = [&](const std::string& reason) { report.not_judged.push_back({&node.op, y.number, reason}); };

  constexpr double step = 1e-6;
  const Moves is_operand = [&](std::size_t n) { return std::ranges::count(y.operands, n, &Value::Operand::value) > 0; };
  const Rerun with_own = run.moved(step, is_operand), with_others = run.moved(step, std::not_fn(is_operand));
  const graph::Node& moved = *with_own.recorded[operation].node();
  const auto alone = [&](const std::vector<Variable>& operands) { return run.alone(operation, operands); };
  const GradcheckReport checked = gradcheck(alone, run.operands(operation), {.order = 1, .keep_elements = true});
  bool is_cut = checked.passed() && !identical(with_others.computed[operation], y.x.value());
  for (std::size_t i = 0; i < node.inputs.size(); ++i)  // as detach(max(x)) moves with x in x − detach(max(x))
    is_cut |= !run.can_be_moved(node.inputs[i]) && !identical(moved.inputs[i].value(), node.inputs[i].value());
  if (is_cut)
    return skip("it uses a number that moves unrecorded, by item(), value() or detach(): no gradient flows that way");
  if (checked.passed()) return;
  if (checked.verdict != gradchecks::Verdict::fail) return skip(checked.reason);

  // Where no slope was measured an element tells nothing. Beside an infinity a rule that is right may give NaN as well:
  // ∂a = g·b is 0·∞ where b, and so the result, is infinite.
  const auto is_finite = [](const Variable& x) { return all_finite(x.value()); };
  const bool all_are = is_finite(y.x) && std::ranges::all_of(node.inputs, is_finite);
  std::string reason = checked.reason;
  std::vector<gradchecks::CheckedElement> worst(y.operands.size());
  for (const auto& e : checked.elements) {
    if (e.error <= options.tolerance) continue;
    if (!std::isfinite(e.numeric) || (!all_are && !std::isfinite(e.analytic)))
      reason = fmt::format("a number is infinite or NaN at element {} of its input {}, or a step away: give it others",
                           index_of(checked.shapes[e.input], e.index), y.operands[e.input].input);
    else if (e.error > (1 + 1e-6) * worst[e.input].error)  // of equals the first
      worst[e.input] = e;
  }
  WrongRule wrong{&node.op, y.number, y.x, checked.reason};
  for (std::size_t p = 0; p < worst.size(); ++p) {
    if (worst[p].error == 0) continue;
    worst[p].input = y.operands[p].input;
    wrong.gradients.push_back({worst[p], run[y.operands[p].value].origin, likely_mistake(run, operation, p)});
  }
  if (wrong.gradients.empty() && reason != checked.reason) return skip(reason);
  // Does the rule hold a number that moves with the operands: taken out, or made for the gradient?
  const auto are_identical = [](const Variable& a, const Variable& b) { return identical(a.value(), b.value()); };
  const auto of_direction = [&](const graph::Rule& rule) { return run.by_rule(operation, rule, y.direction); };
  wrong.holds_what_moves = &node.op == &op("affine") ||  // c·x + d: the rule does not show whether d moves
                           !std::ranges::equal(of_direction(node.rule), of_direction(moved.rule), are_identical);
  report.wrong.push_back(wrong);
}

std::string told(const WrongRule& wrong) {
  const graph::Inputs& inputs = wrong.result.node()->inputs;
  std::vector<std::string> shapes;
  for (const Variable& input : inputs) shapes.push_back(to_string(input.shape()));
  std::string text = fmt::format("\noperation {}, {}: {} → {}, y = {}, rule {}", wrong.number, wrong.op->name,
                                 join_words(shapes, ", "), wrong.result.shape(), wrong.op->formula, wrong.op->rule);
  if (wrong.gradients.empty()) text += "\n  " + wrong.reason;
  for (const WrongGradient& one : wrong.gradients)
    text += fmt::format("\n  the gradient of its input {} ({}): {}\n  element {}: by the rule {:.8g}, measured {:.8g}",
                        one.input, one.origin, one.mistake, index_of(inputs[one.input].shape(), one.index),
                        one.analytic, one.numeric);
  if (wrong.holds_what_moves)
    text += "\n  a number in it may move with its inputs: if item() or value() took it out, the rule may be right";
  if (wrong.more_uses > 0) text += fmt::format("\n  more uses of it that disagree: {}", wrong.more_uses);
  return text;
}

}  // namespace

BisectReport bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                    const std::vector<std::string>& names) {
  const SetRecording always(true);
  const RecordedRun run(f, inputs, names);
  BisectReport report;
  for (std::size_t n = 0; n < run.size(); ++n) report.operation_count = std::max(report.operation_count, run[n].number);
  // One use of a wrong rule tells what is wrong with it, and a look at each would take long.
  for (const std::size_t operation : suspects(run)) {
    const auto known = std::ranges::find(report.wrong, &run[operation].node().op, &WrongRule::op);
    if (known == report.wrong.end())
      look_closer(run, operation, report);
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
