#include "nn/tools/anomaly/anomaly.h"

#include "autograd/record.h"
#include "nn/tools/anomaly/site.h"
#include "nn/tools/anomaly/story.h"
#include "tensor/ops/reduce.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>

namespace regard {
namespace {

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : symbol;
  std::free(text);
  // "regard::Variable loss<float>(int)" → "loss<float>": the types of result and arguments say little here.
  std::size_t begin = 0, end = name.size();
  int depth = 0;
  for (std::size_t i = 0; i < name.size() && end == name.size(); ++i) {
    depth += (name[i] == '<') - (name[i] == '>');
    if (depth == 0 && name[i] == ' ') begin = i + 1;
    if (depth == 0 && name[i] == '(' && i > begin) end = i;
  }
  return name.substr(begin, end - begin);
}

std::optional<anomaly::Site> first_overflow(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) {
  std::vector<Tensor> numbers;
  for (const Variable& input : inputs) numbers.push_back(input.value());
  return anomaly::first_overflow(op, numbers, value);
}

bool is_finite(const Variable& x) { return !is_float(x.dtype()) || all_finite(x.value()); }

}  // namespace

std::string call_site() {
  std::array<void*, 64> frames;
  const int depth = ::backtrace(frames.data(), static_cast<int>(frames.size()));
  std::string path;
  for (int i = 0; i < depth; ++i) {
    Dl_info info;
    if (!::dladdr(frames[static_cast<std::size_t>(i)], &info) || !info.dli_sname) continue;
    const std::string name = demangled(info.dli_sname);
    if (name.starts_with("regard::") || name.starts_with("std::")) continue;
    if (name.starts_with("_") || name.starts_with("Catch::")) continue;  // the runtime's own, before and after main
    path += (path.empty() ? "" : " ← ") + name;
  }
  return path.empty() ? "functions without a visible name" : path;
}

AnomalyMode::AnomalyMode(const std::vector<NamedParameter>& parameters) : names_(parameters) {}

// The operations of a rule are not blamed one by one, since a rule may make a NaN and mask it. What it returns is
// judged as a whole, under the name of its operation.
Tensor AnomalyMode::value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& made) {
  if (is_inside_rule()) return made;
  for (const Variable& input : inputs)
    if (const std::string* name = names_.name_of(input)) last_used_ = *name;
  if (!is_float(made.dtype()) || all_finite(made)) return made;
  bool came_in = false, parameter_is_bad = false;
  for (const Variable& input : inputs) {
    if (is_finite(input)) continue;
    came_in = true;
    parameter_is_bad = parameter_is_bad || (input.is_leaf() && input.requires_grad());
  }
  const std::optional<anomaly::Site> nan = anomaly::first_bad(made, true);
  if (!nan && !parameter_is_bad && op.facts.role == OpRole::constants) return made;
  const auto other_than_nan = [&] {
    return came_in && !parameter_is_bad ? first_overflow(op, inputs, made) : anomaly::first_bad(made, false);
  };
  const std::optional<anomaly::Site> site = nan ? nan : other_than_nan();
  if (!site) return made;
  fail<ValueError>("{}",
                   anomaly::story_of({op, inputs, made, nan.has_value(), *site, names_, call_site(), last_used_}));
}

void AnomalyMode::recorded(const Variable& result) { result.node()->note = std::make_unique<std::string>(call_site()); }

void AnomalyMode::gradient(const GradientMade& event) {
  using By = GradientMade::By;
  if (is_finite(event.made)) return;
  if (event.by == By::start) fail<ValueError>("{}", anomaly::story_of_start(event, names_));
  if (event.by == By::sum) {
    if (!is_finite(event.arrived) || !is_finite(event.next)) return;
    fail<ValueError>("{}", anomaly::story_of_sum(event, names_));
  }
  const bool nan = anomaly::first_bad(event.made.value(), true).has_value();
  if (nan ? anomaly::first_bad(event.arrived.value(), true).has_value() : !is_finite(event.arrived)) return;
  fail<ValueError>("{}", event.by == By::rule ? anomaly::story_of_rule(event, nan, names_)
                                              : anomaly::story_of_hook(event, nan, names_));
}

}  // namespace regard
