#include "nn/tools/anomaly/anomaly.h"

#include "autograd/record.h"
#include "nn/tools/anomaly/advice.h"
#include "nn/tools/anomaly/site.h"
#include "tensor/ops/reduce.h"

namespace regard {
namespace {

using namespace anomaly;

bool is_finite(const Variable& x) { return !is_float(x.dtype()) || all_finite(x.value()); }

std::string_view kind_of(bool nan) { return nan ? "NaN" : "infinity"; }

std::string element_of(const Site& site) { return site.empty() ? "the number" : "element " + to_string(site); }

std::string told_at(const Variable& x, const Site& site) { return told(extremes_of(x.value(), site), site); }

// "input 0 f32 (3, 2) 'head.weight'"
std::string called(const Variable& x, std::string_view role, const ParameterNames& names) {
  const std::string& name = names.name_of(x);
  return fmt::format("{} {} {}{}", role, x.dtype(), x.shape(), name.empty() ? "" : fmt::format(" '{}'", name));
}

// "recorded in module 'head' or behind it (head.weight, head.bias)"
std::string module_told(const graph::Inputs& inputs, const ParameterNames& names, const std::string& last_used = "") {
  constexpr std::size_t shown = 4;
  std::vector<std::string> nearest = names.nearest(inputs);
  if (nearest.empty()) return last_used.empty() ? "" : fmt::format("\n  recorded after '{}' was used", last_used);
  const std::string module = module_of(nearest);
  const std::size_t more = nearest.size() > shown ? nearest.size() - shown : 0;
  nearest.resize(nearest.size() - more);
  const std::string list = join_words(nearest, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
  if (module.empty()) return fmt::format("\n  recorded behind {}", list);
  return fmt::format("\n  recorded in module '{}' or behind it ({})", module, list);
}

std::string module_told(const Variable& result, const ParameterNames& names) {
  return result.node() ? module_told(result.node()->inputs, names) : "";
}

std::string help_told(const Finding& finding) { return fmt::format("\n  what usually helps: {}", advice(finding)); }

// "element (1) of the gradient of the result f32 (2) of 'log' (log x) is NaN"
std::string gradient_told(const GradientMade& bad, const Site& site, const ParameterNames& names) {
  const graph::Node* node = bad.of.node();
  return fmt::format("{} of the gradient of {}{} is {}", element_of(site),
                     called(bad.of, node ? "the result" : "the leaf", names),
                     node ? fmt::format(" of '{}' ({})", node->op.name, node->op.formula) : "",
                     told(extremes_of(bad.made.value(), site)));
}

// Adds a line for each input, and what stands there to the finding.
std::string inputs_told(const OpInfo& op, const graph::Inputs& inputs, const Site& of_result, const Tensor& result,
                        const ParameterNames& names, Finding& finding) {
  std::string lines;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Site site = read_for(op, i, inputs[i].shape(), of_result, result);
    finding.inputs.push_back(extremes_of(inputs[i].value(), site));
    lines += fmt::format("\n  from {}: {}", called(inputs[i], fmt::format("input {}", i), names),
                         told(finding.inputs.back(), site));
  }
  return lines;
}

std::string story_of_rule(const GradientMade& bad, const Site& site, bool nan, const ParameterNames& names) {
  const graph::Node& node = *bad.result.node();
  Finding finding{.op = node.op.name, .backward = true};
  const Site of_result = made_from(node.op, site, bad.made.shape(), bad.result.shape());
  const std::string inputs = inputs_told(node.op, node.inputs, of_result, bad.result.value(), names, finding);
  return fmt::format(
      "anomaly: the rule of '{}' ({}) made the first {}: {} of the gradient of {} is {}{}\n  with the result: {}, and "
      "the gradient that arrives: {}{}{}",
      node.op.name, node.op.rule, kind_of(nan), element_of(site),
      called(bad.of, fmt::format("input {}", bad.input), names), told(extremes_of(bad.made.value(), site)), inputs,
      told_at(bad.result, of_result), told_at(bad.arrived, of_result), module_told(bad.result, names),
      help_told(finding));
}

}  // namespace

AnomalyMode::AnomalyMode(const std::vector<NamedParameter>& parameters) : names_(parameters) {}

// The operations of a rule are not blamed one by one, since a rule may make a NaN and mask it. What it returns is
// judged as a whole, under the name of its operation.
Tensor AnomalyMode::value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& made) {
  if (is_inside_rule()) return made;
  for (const Variable& input : inputs)
    if (const std::string& name = names_.name_of(input); !name.empty()) last_used_ = name;
  if (!is_float(made.dtype()) || all_finite(made)) return made;
  Finding finding{.op = op.name, .backward = false};
  bool came_in = false, nan_came_in = false;
  for (const Variable& input : inputs) {
    if (is_finite(input)) continue;
    came_in = true;
    nan_came_in = nan_came_in || first_bad(input.value(), true);
    finding.bad_parameter = finding.bad_parameter || (input.is_leaf() && input.requires_grad());
  }
  const std::optional<Site> nan = first_bad(made, true);
  if (!nan && !finding.bad_parameter && op.facts.role == OpRole::constants) return made;
  const auto other_than_nan = [&] {
    return came_in && !finding.bad_parameter ? first_overflow(op, inputs, made) : first_bad(made, false);
  };
  const std::optional<Site> site = nan ? nan : other_than_nan();
  if (!site) return made;
  const std::string lines = inputs_told(op, inputs, *site, made, names_, finding);
  const std::string verb = finding.bad_parameter ? "was given a parameter that is not finite"
                           : nan_came_in         ? "received and returned NaN"
                                                 : fmt::format("made the first {}", kind_of(nan.has_value()));
  fail<ValueError>("anomaly: '{}' ({}) {}: {} of its result {} {} is {}{}{}{}", op.name, op.formula, verb,
                   element_of(*site), made.dtype(), made.shape(), told(extremes_of(made, *site)), lines,
                   module_told(inputs, names_, last_used_), help_told(finding));
}

void AnomalyMode::gradient(const GradientMade& bad) {
  using By = GradientMade::By;
  if (is_finite(bad.made)) return;
  const std::optional<Site> first_nan = first_bad(bad.made.value(), true);
  const bool nan = first_nan.has_value();
  const Site site = nan ? *first_nan : first_bad(bad.made.value(), false).value();
  const std::string gradient = gradient_told(bad, site, names_), recorded = module_told(bad.of, names_);
  if (bad.by == By::start)
    fail<ValueError>(
        "anomaly: the gradient given to {} is not finite: {}{}\n  what usually helps: look at how that gradient was "
        "computed",
        bad.function, gradient, recorded);
  if (bad.by == By::sum) {
    if (!is_finite(bad.arrived) || !is_finite(bad.next)) return;
    fail<ValueError>(
        "anomaly: gradients that arrive from several uses add up to the first infinity: {}\n  from what had arrived so "
        "far: {}, and what came next: {}{}{}",
        gradient, told_at(bad.arrived, site), told_at(bad.next, site), recorded,
        help_told({.op = "add", .backward = true}));
  }
  if (nan ? first_bad(bad.arrived.value(), true).has_value() : !is_finite(bad.arrived)) return;
  if (bad.by == By::rule) fail<ValueError>("{}", story_of_rule(bad, site, nan, names_));
  fail<ValueError>("anomaly: a hook returned the first {}: {}\n  from the gradient that arrived: {}{}", kind_of(nan),
                   gradient, told_at(bad.arrived, site), recorded);
}

}  // namespace regard
