#include "nn/connected.h"

#include "autograd/ancestors.h"

#include <algorithm>

namespace regard::nn {
namespace {

// A Variable that takes part in the loss without a past: a parameter or a constant, and the operation it was given to.
struct Source {
  Variable x;
  const OpInfo* given_to;
};

std::vector<Source> sources_of(const Variable& loss) {
  std::vector<Source> sources;
  if (loss.is_leaf()) sources.push_back({loss, nullptr});
  graph::for_each_ancestor({loss}, [&](const Variable& x) {
    if (!x.node()) return true;
    if (x.node()->freed)
      fail<ValueError>("assert_connected: what the loss was made from is gone (call it before backward)");
    for (const Variable& input : x.node()->inputs)
      if (input.is_leaf()) sources.push_back({input, &x.node()->op});
    return true;
  });
  return sources;
}

// Why the loss does not depend on a parameter; empty if it does.
std::string reason(const Variable& parameter, const std::vector<Source>& sources) {
  std::string why = "no operation on the way to the loss used it";
  for (const Source& source : sources) {
    if (source.x.same_as(parameter)) return "";
    if (!source.given_to || !source.x.value().shares_buffer_with(parameter.value())) continue;
    why = source.x.requires_grad()
              ? "another parameter with the same numbers took part instead, such as that of a clone"
              : fmt::format("its value was given to {} as a constant (by detach, value() or under NoGrad)",
                            source.given_to->name);
  }
  return why;
}

// Where the recording begins. What was computed before is cut off, so one of these is where to look; others are data.
std::string constants_among(const std::vector<Source>& sources) {
  std::vector<std::string> constants;
  for (const Source& source : sources) {
    if (!source.given_to || source.x.requires_grad() || !is_float(source.x.dtype()) || source.x.rank() == 0) continue;
    const std::string one = fmt::format("{} given to {}", source.x.shape(), source.given_to->name);
    if (std::ranges::find(constants, one) == constants.end()) constants.push_back(one);
  }
  if (constants.empty()) return "";
  return fmt::format(". The constants that took part: {}", join_words(constants, ", "));
}

}  // namespace

void assert_connected(const Variable& loss, const Members& members) {
  require_defined("assert_connected", loss);
  const std::vector<Source> sources = sources_of(loss);
  const std::vector<NamedParameter> parameters = named_parameters(members);
  std::vector<std::string> cut_off;
  for (const auto& [name, parameter] : parameters) {
    if (!parameter.requires_grad()) continue;  // frozen on purpose
    if (const std::string why = reason(parameter, sources); !why.empty())
      cut_off.push_back(fmt::format("{} {}: {}", name, parameter.shape(), why));
  }
  if (!cut_off.empty())
    fail<ValueError>("assert_connected: the loss does not depend on {} of {} parameters: {}{}", cut_off.size(),
                     parameters.size(), join_words(cut_off, "; "), constants_among(sources));
}

}  // namespace regard::nn
