#include "autograd/anomaly.h"

#include "autograd/anomaly/place.h"
#include "autograd/anomaly/story.h"
#include "autograd/record.h"
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

thread_local const AnomalyMode* watching = nullptr;
thread_local bool inside_a_rule = false;
// The parameter that was used last: it tells where the program is when nothing is recorded.
thread_local std::string last_used;

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

// An infinity in the result of these is one that the program gave them as a constant.
bool puts_constants(const OpInfo& op) {
  constexpr std::array<std::string_view, 4> names{"pad", "where", "masked_fill", "clamp"};
  return std::find(names.begin(), names.end(), op.name) != names.end();
}

std::optional<anomaly::Place> first_overflow(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) {
  std::vector<Tensor> numbers;
  for (const Variable& input : inputs) numbers.push_back(input.value());
  return anomaly::first_overflow(op, numbers, value);
}

bool is_finite(const Variable& x) { return !is_float(x.dtype()) || all_finite(x.value()); }

}  // namespace

AnomalyMode::AnomalyMode(const std::vector<NamedParameter>& parameters)
    : names_(parameters), before_(std::exchange(watching, this)) {
  last_used.clear();
}
AnomalyMode::~AnomalyMode() {  // others that began later may still live
  const AnomalyMode** link = &watching;
  while (*link && *link != this) link = &const_cast<AnomalyMode*>(*link)->before_;
  if (*link) *link = before_;
}
const AnomalyMode* current_anomaly_mode() { return watching; }
bool anomaly_mode() { return watching != nullptr; }

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

InsideRule::InsideRule() : before_(std::exchange(inside_a_rule, true)) {}
InsideRule::~InsideRule() { inside_a_rule = before_; }
bool is_inside_rule() { return inside_a_rule; }

void check_for_anomaly(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) {
  if (inside_a_rule) return;
  for (const Variable& input : inputs)
    if (const std::string* name = watching->names().name_of(input)) last_used = *name;
  if (!is_float(value.dtype()) || all_finite(value)) return;
  bool came_in = false, parameter_is_bad = false;
  for (const Variable& input : inputs) {
    if (is_finite(input)) continue;
    came_in = true;
    parameter_is_bad = parameter_is_bad || (input.is_leaf() && input.requires_grad());
  }
  const std::optional<anomaly::Place> nan = anomaly::first_bad(value, true);
  if (!nan && !parameter_is_bad && puts_constants(op)) return;
  const auto other_than_nan = [&] {
    return came_in && !parameter_is_bad ? first_overflow(op, inputs, value) : anomaly::first_bad(value, false);
  };
  const std::optional<anomaly::Place> place = nan ? nan : other_than_nan();
  if (!place) return;
  fail<ValueError>(
      "{}", anomaly::story_of({op, inputs, value, nan.has_value(), *place, watching->names(), call_site(), last_used}));
}

void check_sum_for_anomaly(const Variable& x, const Variable& first, const Variable& second, const Variable& sum) {
  if (is_finite(sum) || !is_finite(first) || !is_finite(second)) return;
  fail<ValueError>("{}", anomaly::story_of_sum(x, first, second, sum, watching->names()));
}

void check_rule_for_anomaly(const graph::Node& node, const Variable& output, const Variable& arrived,
                            const Variable& returned, std::size_t i) {
  if (is_finite(returned)) return;
  const bool nan = anomaly::first_bad(returned.value(), true).has_value();
  if (nan ? anomaly::first_bad(arrived.value(), true).has_value() : !is_finite(arrived)) return;
  fail<ValueError>("{}", anomaly::story_of_rule({node, output, arrived, returned, i, nan, watching->names()}));
}

void check_start_for_anomaly(const char* function, const Variable& output, const Variable& given) {
  if (is_finite(given)) return;
  fail<ValueError>("{}", anomaly::story_of_start(function, output, given, watching->names()));
}

void check_hook_for_anomaly(const Variable& x, const Variable& arrived, const Variable& returned) {
  if (is_finite(returned)) return;
  const bool nan = anomaly::first_bad(returned.value(), true).has_value();
  if (nan ? anomaly::first_bad(arrived.value(), true).has_value() : !is_finite(arrived)) return;
  fail<ValueError>("{}", anomaly::story_of_hook(x, arrived, returned, watching->names()));
}

}  // namespace regard
