#include "nn/tools/cost/profile.h"

#include "autograd/backward.h"
#include "nn/tools/explain/document.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"

#include <algorithm>
#include <chrono>
#include <map>

namespace regard {
namespace {

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

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
  round.backward.resize(round.steps.size());
  double start = 0;
  graph::pass_back(round.steps, {.keep = false,
                                 .begin = [&](std::size_t) { start = now(); },
                                 .done = [&](std::size_t i) { round.backward[i] = now() - start; }});
  return round;
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

std::string milliseconds(double seconds) { return fmt::format("{:.3g}", seconds * 1e3); }
std::string giga(double x) { return fmt::format("{:.3g}", x / 1e9); }

void tell(Document& document, const std::string& what, std::vector<NamedCost> costs, const Profile& all) {
  costs.push_back({"all", all.total});
  std::vector<Document::Row> rows;
  for (const auto& [name, cost] : costs) {
    const bool has_products = cost.multiply_adds > 0;
    rows.push_back({name, std::to_string(cost.operations), milliseconds(cost.forward), milliseconds(cost.backward),
                    fmt::format("{:.3g} %", 100 * cost.seconds() / all.total.seconds()),
                    has_products ? giga(cost.flops()) : "",
                    has_products ? fmt::format("{:.2g} %", 100 * cost.flops() / all.limits.flops) : "",
                    cost.forward > 0 ? giga(cost.bytes / cost.forward) : "", bound_by(cost, all.limits)});
  }
  document.heading("Time by " + what);
  document.table(
      {what, "times", "forward, ms", "backward, ms", "of all", "GFLOP/s", "of the limit", "GB/s forward", "bound by"},
      rows);
}

Document document_of(const Profile& profile) {
  Document document;
  tell(document, "operation", profile.by_operation, profile);
  if (!profile.by_module.empty()) tell(document, "module", profile.by_module, profile);
  document.sentence(
      fmt::format("The machine's limits, measured: {} GFLOP/s, {} GB/s. Operations that have no gradient "
                  "took {} ms more.",
                  giga(profile.limits.flops), giga(profile.limits.bytes), milliseconds(profile.not_recorded)));
  return document;
}

}  // namespace

MachineLimits machine_limits(DType dtype) {
  const std::int64_t n = 768, large = std::int64_t{1} << 24;
  const Tensor a = ones({n, n}, dtype), x = ones({large}, dtype);
  const double product = best_of(5, [&] { matmul(a, a); }), addition = best_of(3, [&] { x + x; });
  const double bytes = static_cast<double>(large) * static_cast<double>(size_of(dtype));
  return {2.0 * static_cast<double>(n * n * n) / product, 2 * bytes / addition};  // read once, written once
}

std::string bound_by(const Cost& cost, const MachineLimits& limits) {
  return 2 * cost.multiply_adds / limits.flops > cost.bytes / limits.bytes ? "arithmetic" : "memory";
}

Profile profile(const std::function<Variable()>& f, const std::vector<NamedParameter>& names) {
  std::vector<Round> rounds;
  measured_round(f);  // memory is taken for the first time, threads wake up
  for (int i = 0; i < 5; ++i) {
    rounds.push_back(measured_round(f));
    if (rounds[0].steps.size() != rounds.back().steps.size())
      fail<ValueError>("profile: f recorded {} operations, and then {}: it must do the same each time",
                       rounds[0].steps.size(), rounds.back().steps.size());
    if (i > 0) rounds.back().steps.clear();
  }
  const auto median_of = [&](const auto& seconds_of) {
    std::vector<double> list;
    for (const Round& round : rounds) list.push_back(seconds_of(round));
    std::nth_element(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2), list.end());
    return list[list.size() / 2];
  };
  const graph::Trace& steps = rounds[0].steps;
  Profile result{added_up(steps, names, [&](std::size_t i) {
    Cost one = cost_of_operation(steps[i].result);
    one.forward = median_of([i](const Round& round) { return round.forward[i]; });
    one.backward = median_of([i](const Round& round) { return round.backward[i]; });
    return one;
  })};
  result.not_recorded = median_of([](const Round& round) { return round.not_recorded; });
  result.limits = machine_limits(steps.back().result.dtype());
  return result;
}

std::string to_text(const Profile& profile) { return document_of(profile).text(); }
std::string to_html(const Profile& profile) { return document_of(profile).html("Where the time goes"); }

}  // namespace regard
