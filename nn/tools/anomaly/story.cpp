#include "nn/tools/anomaly/story.h"

#include "nn/tools/anomaly/advice.h"
#include "nn/tools/anomaly/site.h"
#include "tensor/ops/reduce.h"

#include <string_view>
#include <vector>

namespace regard::anomaly {
namespace {

std::string called(const Variable& x, std::string_view role, const ParameterNames& names) {
  const std::string* name = names.name_of(x);
  return fmt::format("{} {} {}{}", role, x.dtype(), x.shape(), name ? fmt::format(" '{}'", *name) : "");
}

// "in module 'head' or behind it (head.weight, head.bias)"
std::string module_told(const graph::Inputs& inputs, const ParameterNames& names, const std::string& last_used) {
  constexpr std::size_t shown = 4;
  if (names.empty()) return "";
  std::vector<std::string> nearest = names.nearest(inputs);
  if (nearest.empty() && last_used.empty()) return "";
  if (nearest.empty()) return fmt::format(", after '{}' was used", last_used);
  const std::string module = module_of(nearest);
  const std::size_t more = nearest.size() > shown ? nearest.size() - shown : 0;
  nearest.resize(nearest.size() - more);
  const std::string list = join_words(nearest, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
  if (module.empty()) return fmt::format(", behind {}", list);
  return fmt::format(", in module '{}' or behind it ({})", module, list);
}

std::string_view kind_of(bool nan) { return nan ? "NaN" : "infinity"; }

std::string help_told(const Finding& finding) {
  const std::string_view sentence = advice(finding);
  return sentence.empty() ? "" : fmt::format("\n  what usually helps: {}", sentence);
}

// "recorded in loss ← main, in module 'head' or behind it (head.weight)"
std::string recorded_told(const graph::Node& node, const ParameterNames& names) {
  return fmt::format("\n  recorded in {}{}", node.note ? *node.note : "an operation before anomaly mode was on",
                     module_told(node.inputs, names, ""));
}

// "element (1) of the gradient of the result f32 (2) of 'log' (log x) is NaN"
std::string element_told(const Variable& gradient, const Variable& x, const Site& site, const ParameterNames& names) {
  const graph::Node* node = x.node();
  return fmt::format("{} of the gradient of {}{} is {}", site.empty() ? "the number" : "element " + to_string(site),
                     called(x, node ? "the result" : "the leaf", names),
                     node ? fmt::format(" of '{}' ({})", node->op.name, node->op.formula) : "",
                     told(extremes_of(gradient.value(), site)));
}

Site first_bad_in(const Tensor& x) {
  const auto nan = first_bad(x, true);
  return nan ? *nan : first_bad(x, false).value();
}

bool is_bad_parameter(const Variable& x) { return x.is_leaf() && x.requires_grad() && !all_finite(x.value()); }

// Adds a line for each input, and what stands there to the finding.
std::string inputs_told(const OpInfo& op, const graph::Inputs& inputs, const Site& of_result, const Tensor& result,
                        const ParameterNames& names, Finding& finding) {
  std::string lines;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& x = inputs[i].value();
    const Site site = read_for(op, i, x.shape(), of_result, result);
    finding.inputs.push_back(extremes_of(x, site));
    lines += fmt::format("\n  from {}: {}", called(inputs[i], fmt::format("input {}", i), names),
                         told(finding.inputs.back(), site));
  }
  return lines;
}

}  // namespace

std::string story_of(const BadResult& bad) {
  Finding finding{.op = bad.op.name, .backward = false, .nan = bad.nan, .inputs = {}};
  const Site& site = bad.site;
  const Shape& shape = bad.value.shape();
  const std::string inputs = inputs_told(bad.op, bad.inputs, site, bad.value, bad.names, finding);
  std::string verb = "made the first " + std::string(kind_of(bad.nan));
  for (const Variable& input : bad.inputs) {
    if (!is_float(input.dtype())) continue;
    finding.bad_parameter = finding.bad_parameter || is_bad_parameter(input);
    if (first_bad(input.value(), true)) verb = "received and returned NaN";
  }
  if (finding.bad_parameter) verb = "was given a parameter that is not finite";
  return fmt::format("anomaly: '{}' ({}) {}: {} of its result {} {} is {}{}\n  recorded in {}{}{}", bad.op.name,
                     bad.op.formula, verb, site.empty() ? "the number" : "element " + to_string(site),
                     bad.value.dtype(), shape, told(extremes_of(bad.value, site)), inputs, bad.functions,
                     module_told(bad.inputs, bad.names, bad.last_used), help_told(finding));
}

std::string story_of_rule(const GradientMade& bad, bool nan, const ParameterNames& names) {
  const graph::Node& node = *bad.result.node();
  Finding finding{.op = node.op.name, .backward = true, .nan = nan, .inputs = {}};
  const Site site = first_bad(bad.made.value(), nan).value();
  const Site of_result = made_from(node.op, site, bad.made.shape(), bad.result.shape());
  const std::string inputs = inputs_told(node.op, node.inputs, of_result, bad.result.value(), names, finding);
  const auto there = [&](const Variable& x) { return told(extremes_of(x.value(), of_result), of_result); };
  return fmt::format(
      "anomaly: the rule of '{}' ({}) made the first {}: {} of the gradient of {} is {}{}\n  with the result: {}, and "
      "the gradient that arrives: {}{}{}",
      node.op.name, node.op.rule, kind_of(nan), site.empty() ? "the number" : "element " + to_string(site),
      called(bad.of, fmt::format("input {}", bad.input), names), told(extremes_of(bad.made.value(), site)), inputs,
      there(bad.result), there(bad.arrived), recorded_told(node, names), help_told(finding));
}

std::string story_of_hook(const GradientMade& bad, bool nan, const ParameterNames& names) {
  const Site site = first_bad_in(bad.made.value());
  return fmt::format("anomaly: a hook returned the first {}: {}\n  from the gradient that arrived: {}{}", kind_of(nan),
                     element_told(bad.made, bad.of, site, names), told(extremes_of(bad.arrived.value(), site), site),
                     bad.of.node() ? recorded_told(*bad.of.node(), names) : "");
}

std::string story_of_sum(const GradientMade& bad, const ParameterNames& names) {
  const Site site = first_bad_in(bad.made.value());
  const Finding finding{.op = "add", .backward = true, .nan = false, .inputs = {}};
  const auto there = [&](const Variable& gradient) { return told(extremes_of(gradient.value(), site), site); };
  return fmt::format(
      "anomaly: gradients that arrive from several uses add up to the first infinity: {}\n  from what had arrived so "
      "far: {}, and what came next: {}{}{}",
      element_told(bad.made, bad.of, site, names), there(bad.arrived), there(bad.next),
      bad.of.node() ? recorded_told(*bad.of.node(), names) : "", help_told(finding));
}

std::string story_of_start(const GradientMade& bad, const ParameterNames& names) {
  return fmt::format(
      "anomaly: the gradient given to {} is not finite: {}{}\n  what usually helps: look at how that "
      "gradient was computed",
      bad.function, element_told(bad.made, bad.of, first_bad_in(bad.made.value()), names),
      bad.of.node() ? recorded_told(*bad.of.node(), names) : "");
}

}  // namespace regard::anomaly
