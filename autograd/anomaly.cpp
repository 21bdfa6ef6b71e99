#include "autograd/anomaly.h"

#include "autograd/record.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <cstdlib>
#include <string>
#include <utility>

namespace regard {
namespace {

thread_local bool watching = false;
thread_local bool inside_a_rule = false;

bool holds_nan(const Tensor& x) { return is_float(x.dtype()) && sum(is_nan(x)).item() > 0; }

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

}  // namespace

AnomalyMode::AnomalyMode() : before_(watching) { watching = true; }
AnomalyMode::~AnomalyMode() { watching = before_; }
bool anomaly_mode() { return watching; }

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

void check_for_anomaly(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) {
  if (inside_a_rule || !holds_nan(value)) return;
  std::vector<std::string> seen;
  bool came_in = false;
  for (const Variable& input : inputs) {
    const bool bad = holds_nan(input.value());
    seen.push_back(fmt::format("{} {}{}", input.dtype(), input.shape(), bad ? " with NaN" : ""));
    came_in = came_in || bad;
  }
  fail<ValueError>("anomaly: '{}' ({}) {} NaN, from inputs {}; recorded in {}", op.name, op.formula,
                   came_in ? "received and returned" : "made the first", join_words(seen, ", "), call_site());
}

}  // namespace regard
