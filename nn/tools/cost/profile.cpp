#include "nn/tools/cost/profile.h"

#include "autograd/backward.h"
#include "nn/tools/explain/trace.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace regard {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double median(std::vector<double> list) {
  std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2), list.end());
  return list[list.size() / 2];
}

// While it lives, a clock reads the time between an operation of this thread and the one before.
class Clock : public Observer {
 public:
  Tensor value(const OpInfo&, const graph::Inputs&, const Tensor& value) override {
    seconds_ = now() - last_;
    not_recorded += seconds_;
    last_ = now();
    return value;
  }
  void recorded(const Variable& result) override {
    not_recorded -= seconds_;
    of_results[result.order()] = seconds_;
    last_ = now();
  }

  std::map<std::uint64_t, double> of_results;
  double not_recorded = 0;

 private:
  double last_ = now(), seconds_ = 0;
};

struct Round {
  graph::Trace steps;
  std::vector<double> forward, backward;  // of each step
  double not_recorded = 0;
};

// The walk of graph::pass_back, with a clock.
std::vector<double> backward_seconds(graph::Trace& steps) {
  const NoGrad rules_are_not_recorded;
  std::vector<double> seconds(steps.size(), 0);
  steps.back().gradient = ones_like(steps.back().result.value());
  for (std::size_t i = steps.size(); i-- > 0;) {
    if (!steps[i].gradient.defined() || !steps[i].op()) continue;
    const double start = now();
    const graph::Gradients passed = graph::apply_rule(steps[i].result, steps[i].gradient);
    for (std::size_t n = 0; n < steps[i].inputs.size(); ++n) {
      graph::Step& input = steps[steps[i].inputs[n]];
      if (!input.result.requires_grad()) continue;
      input.gradient = input.gradient.defined() ? Variable(input.gradient.value() + passed[n].value()) : passed[n];
    }
    steps[i].gradient = {};  // as backward() does, which keeps none
    seconds[i] = now() - start;
  }
  return seconds;
}

Round measured_round(const std::function<Variable()>& f) {
  Round round;
  Variable loss;
  {
    Clock clock;
    loss = f();
    require_defined("profile", loss, "f()");
    if (loss.is_leaf()) fail<ValueError>("profile: f recorded nothing: its result needs no gradient");
    round.steps = graph::trace("profile", loss);
    for (const graph::Step& step : round.steps) {
      const auto found = clock.of_results.find(step.result.order());
      round.forward.push_back(found == clock.of_results.end() ? 0 : found->second);
    }
    round.not_recorded = clock.not_recorded;
  }
  round.backward = backward_seconds(round.steps);
  return round;
}

ProfiledCost& operator+=(ProfiledCost& sum, const ProfiledCost& more) {
  sum.cost += more.cost;
  sum.forward += more.forward;
  sum.backward += more.backward;
  return sum;
}

std::vector<ProfiledCost> slowest_first(const std::map<std::string, ProfiledCost>& costs) {
  std::vector<ProfiledCost> list;
  for (const auto& [name, cost] : costs) list.push_back(cost), list.back().name = name;
  std::stable_sort(list.begin(), list.end(),
                   [](const ProfiledCost& a, const ProfiledCost& b) { return a.seconds() > b.seconds(); });
  return list;
}

double best_of(int rounds, const std::function<void()>& work) {
  double best = 1e9;
  for (int i = 0; i < rounds; ++i) {
    const double start = now();
    work();
    best = std::min(best, now() - start);
  }
  return best;
}

}  // namespace

double ProfiledCost::flops() const {
  return seconds() > 0 ? 2 * (cost.multiply_adds + cost.backward_multiply_adds) / seconds() : 0;
}

MachineLimits machine_limits(DType dtype) {
  const std::int64_t n = 768, large = std::int64_t{1} << 24;
  const Tensor a = ones({n, n}, dtype), x = ones({large}, dtype);
  const double product = best_of(5, [&] { matmul(a, a); }), addition = best_of(3, [&] { x + x; });
  const double bytes = static_cast<double>(large) * (dtype == DType::f32 ? 4 : 8);
  return {2.0 * static_cast<double>(n * n * n) / product, 2 * bytes / addition};  // read once, written once
}

std::string bound_by(const ProfiledCost& cost, const MachineLimits& limits) {
  const double by_arithmetic = 2 * cost.cost.multiply_adds / limits.flops;
  return by_arithmetic > cost.cost.bytes / limits.bytes ? "arithmetic" : "memory";
}

Profile profile(const std::function<Variable()>& f, const ProfileOptions& options) {
  if (options.rounds < 1) fail<ValueError>("profile: {} rounds; at least 1", options.rounds);
  std::vector<Round> rounds;
  measured_round(f);  // memory is taken for the first time, threads wake up
  for (int i = 0; i < options.rounds; ++i) {
    rounds.push_back(measured_round(f));
    if (rounds[0].steps.size() != rounds.back().steps.size())
      fail<ValueError>("profile: f recorded {} operations, and then {}: it must do the same each time",
                       rounds[0].steps.size(), rounds.back().steps.size());
    if (i > 0) rounds.back().steps.clear();
  }
  const graph::Trace& steps = rounds[0].steps;
  const std::vector<ModulePath> modules = modules_of(steps, options.names);
  Profile result;
  std::map<std::string, ProfiledCost> by_operation, by_module;
  std::map<ModulePath, double> parts;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].op()) continue;
    std::vector<double> forward, backward;
    for (const Round& round : rounds) forward.push_back(round.forward[i]), backward.push_back(round.backward[i]);
    const ProfiledCost one{"", cost_of_operation(steps[i].result), median(forward), median(backward)};
    result.total += one;
    by_operation[steps[i].op()->name] += one;
    ModulePath path = modules[i];
    path.push_back(steps[i].op()->name);
    parts[path] += one.seconds();
    for (path.pop_back(); !path.empty(); path.pop_back()) by_module[name_of(path)] += one;
  }
  std::vector<double> not_recorded;
  for (const Round& round : rounds) not_recorded.push_back(round.not_recorded);
  result.total.name = "all";
  result.not_recorded = median(not_recorded);
  result.by_operation = slowest_first(by_operation);
  if (!options.names.empty()) result.by_module = slowest_first(by_module);
  for (const auto& [path, seconds] : parts) result.parts.push_back({path, seconds});
  result.limits = machine_limits(steps.back().result.dtype());
  return result;
}

}  // namespace regard
