#include "autograd/gradcheck/bisect/bisect.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/mistake.h"
#include "autograd/gradcheck/slopes.h"
#include "tensor/all.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard {
namespace {

using namespace bisecting;
using gradchecks::CheckedElement;

const GradcheckOptions options;

// ---- Which operations disagree? ----

// The gradient g that stands in for the one that arrives: random numbers, and larger where the result moves slowly, by
// up to a hundred. So a mistake in a small element is not drowned by the large ones.
Tensor gradient_for(const Tensor& dy, std::size_t operation) {
  Generator random(options.seed + 1 + operation);
  const Tensor g = gradchecks::random_cotangent(dy.shape(), random);
  const double fastest = largest(dy);
  return fastest == 0 ? g : g / maximum(abs(dy) / fastest, 1e-2);
}

struct Comparison {
  bool agrees;
  std::vector<std::size_t> drowned;  // operands with so little influence that a mistake would not show
};

// Is Σ ∂x·dx what was measured as Σ g·dy? Rounding of the result, about 2⁻⁵² of its size, is divided by the step.
Comparison compare(const RecordedRun& run, std::size_t operation, const Tensor& dy, const Moves& moves) {
  const Value& y = run[operation];
  const Tensor g = gradient_for(dy, y.number);
  const std::vector<Tensor> gradients = run.by_rule(operation, y.node().rule, g);
  double by_rule = 0;
  std::vector<double> influence(gradients.size());
  for (std::size_t p = 0; p < gradients.size(); ++p) {
    if (!moves(y.operands[p].value)) continue;
    const Tensor shares = gradients[p] * run[y.operands[p].value].direction;
    by_rule += sum(shares).item();
    influence[p] = sum(abs(shares)).item();
  }
  const double measured = sum(g * dy).item(), size = std::max(std::abs(by_rule), std::abs(measured));
  const double rounding = 8 * std::numeric_limits<double>::epsilon() * largest(finite_part(y.x.value()));
  const double noise = rounding / options.eps * std::sqrt(sum(square(g)).item());
  Comparison c{std::abs(by_rule - measured) <= options.tolerance * size + noise, {}};
  for (std::size_t p = 0; p < gradients.size(); ++p)
    if (influence[p] < 1e-3 * size) c.drowned.push_back(y.operands[p].value);
  return c;
}

// First all values move at once, in four runs of the function. An operand that was drowned then moves alone, in four
// more. Rounding may make an operation a suspect, too.
std::vector<std::size_t> suspects(const RecordedRun& run) {
  std::vector<std::size_t> found;
  const auto speeds_while = [&](const Moves& moves) {
    return speeds([&](double t) { return run.moved(t, moves).computed; });
  };
  const Moves all = [](std::size_t) { return true; };
  const std::vector<Tensor> dy = speeds_while(all);
  for (std::size_t n = 0; n < run.size(); ++n) {
    if (run[n].number == 0) continue;
    const auto disagrees = [&](std::size_t operand) {
      const Moves alone = [operand](std::size_t value) { return value == operand; };
      return !compare(run, n, speeds_while(alone)[n], alone).agrees;
    };
    const Comparison c = compare(run, n, dy[n], all);
    if (!c.agrees || std::ranges::any_of(c.drowned, disagrees)) found.push_back(n);
  }
  return found;
}

// ---- Is the rule of a suspect wrong? ----

// Of each operand the element that is off the most, of equals the first, and what may be wrong with its gradient.
std::vector<WrongGradient> wrong_gradients(const RecordedRun& run, std::size_t operation,
                                           const std::vector<CheckedElement>& off) {
  std::vector<WrongGradient> list;
  for (std::size_t p = 0; p < run[operation].operands.size(); ++p) {
    CheckedElement worst;
    for (const CheckedElement& e : off)
      if (e.input == p && e.error > (1 + 1e-6) * worst.error) worst = e;
    if (worst.error == 0) continue;
    const auto [x, input] = run[operation].operands[p];
    list.push_back(
        {input, run[x].origin, worst.index, worst.analytic, worst.numeric, likely_mistake(run, operation, p)});
  }
  return list;
}

// It is looked at element by element. But where a value leaves the record, by item(), value() or detach(), and comes
// back as a number, no gradient flows. That may be meant or not; how the result then moves says nothing about the rule.
void look_closer(const RecordedRun& run, std::size_t operation, BisectReport& report) {
  const Value& y = run[operation];
  const graph::Node& node = y.node();
  const auto skip = [&](const std::string& reason) { report.not_judged.push_back({&node.op, y.number, reason}); };
  const std::string unrecorded =
      "it uses a number that moves, but how was not recorded (item(), value() or detach()): no gradient flows that way";

  constexpr double step = 1e-6;
  const Moves is_operand = [&](std::size_t n) { return std::ranges::count(y.operands, n, &Value::Operand::value) > 0; };
  const Rerun with_own = run.moved(step, is_operand), with_others = run.moved(step, std::not_fn(is_operand));
  const graph::Node& moved = *with_own.recorded[operation].node();
  for (std::size_t i = 0; i < node.inputs.size(); ++i)  // as detach(max(x)) moves with x in x − detach(max(x))
    if (!run.can_be_moved(node.inputs[i]) && !identical(moved.inputs[i].value(), node.inputs[i].value()))
      return skip(unrecorded);
  const RecordedRun::Alone alone = run.alone(operation);
  const GradcheckReport checked = gradcheck(alone.f, alone.operands, {.order = 1, .keep_elements = true});
  if (checked.passed() && !identical(with_others.computed[operation], y.x.value())) return skip(unrecorded);
  if (checked.passed()) return;
  if (checked.verdict != gradchecks::Verdict::fail) return skip(checked.reason);

  // Where no slope was measured an element tells nothing. Beside an infinity a rule that is right may give NaN as well:
  // ∂a = g·b is 0·∞ where b, and so the result, is infinite.
  const auto is_finite = [](const Variable& x) { return all_finite(x.value()); };
  const bool all_are = is_finite(y.x) && std::ranges::all_of(node.inputs, is_finite);
  const auto tells_nothing = [&](const CheckedElement& e) {
    return !std::isfinite(e.numeric) || (!all_are && !std::isfinite(e.analytic));
  };
  std::vector<CheckedElement> off = checked.elements;
  std::erase_if(off, [](const CheckedElement& e) { return e.error <= options.tolerance; });
  if (!off.empty() && std::ranges::all_of(off, tells_nothing)) {
    if (!all_are)
      return skip("beside numbers that are infinite or NaN no slope tells whether its rule is right: give it others");
    const std::size_t input = y.operands[off[0].input].input;
    return skip(fmt::format("a small step from element {} of its input {} ends at NaN or an infinity: move it away",
                            index_of(node.inputs[input].shape(), off[0].index), input));
  }
  std::erase_if(off, tells_nothing);
  // Does the rule hold a number that moves with the operands: taken out, or made for the gradient?
  const auto of_direction = [&](const graph::Rule& rule) { return run.by_rule(operation, rule, y.direction); };
  const bool rule_moves = &node.op == &op("affine") ||  // c·x + d: the rule does not show whether d moves
                          !std::ranges::equal(of_direction(node.rule), of_direction(moved.rule), identical);
  report.wrong.push_back({&node.op, y.number, y.x, wrong_gradients(run, operation, off), checked.reason, rule_moves});
}

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
