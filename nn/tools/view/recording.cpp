#include "nn/tools/view/recording.h"

#include "autograd/attention/pairs.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/matmul.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

std::vector<std::string> each_once(const std::vector<std::shared_ptr<RecordedAttention>>& all,
                                   std::string RecordedAttention::*word) {
  std::vector<std::string> once;
  for (const auto& one : all)
    if (std::find(once.begin(), once.end(), (*one).*word) == once.end()) once.push_back((*one).*word);
  return once;
}

// Where the attentions of a model lie in memory.
struct PathsOfAttention : Visitor {
  std::map<const void*, std::string> names;
  void on_here(const std::string& path, const void* module) override {
    names.emplace(module, path.empty() ? "attention" : path);
  }
};

bool is_cross(const Attended& call, const std::string& name) {
  return call.cross || name == "cross" || name.ends_with(".cross");
}

bool in_encoder(const std::string& name) { return ("." + name + ".").find(".encoder.") != std::string::npos; }

}  // namespace

RecordedAttention& Recording::add(RecordedAttention one) {
  if (!one.weights.defined()) fail<ValueError>("Recording: '{}' has no weights", one.name);
  for (Tensor* x : {&one.weights, &one.gradient})
    if (x->defined() && x->rank() == 2) *x = unsqueeze(*x, 0);
  const Shape& pairs = one.weights.shape();
  if (pairs.rank() != 3)
    fail<ShapeError>("Recording: weights {} of '{}': needs (H, Lq, Lk) or (Lq, Lk)", pairs, one.name);
  if (one.gradient.defined() && one.gradient.shape() != pairs)
    fail<ShapeError>("Recording: gradient {} of '{}', beside weights {}", one.gradient.shape(), one.name, pairs);
  const Tensor &q = one.formula.q, &k = one.formula.k;
  const auto is = [&](const Tensor& x, std::int64_t rows) {
    return x.defined() && x.rank() == 3 && x.size(0) == pairs[0] && x.size(1) == rows;
  };
  if (one.formula.kind != ScoreFormula::Kind::other && !(is(q, pairs[1]) && is(k, pairs[2]) && q.size(2) == k.size(2)))
    fail<ShapeError>("Recording: the formula of '{}' has no q and k that fit weights {}", one.name, pairs);
  all_.push_back(std::make_shared<RecordedAttention>(std::move(one)));
  return *all_.back();
}

std::vector<std::string> Recording::steps() const { return each_once(all_, &RecordedAttention::step); }
std::vector<std::string> Recording::names() const { return each_once(all_, &RecordedAttention::name); }

Recorder::Recorder(Recording& into, const RecorderOptions& options) : recording_(into), options_(options) {
  step_ = next_step();
}

Recorder::Recorder(Recording& into, const Members& model, const RecorderOptions& options) : Recorder(into, options) {
  PathsOfAttention paths;
  model(paths);
  names_ = std::move(paths.names);
}

std::string Recorder::next_step() const {
  if (options_.step.empty()) return fmt::format("step {}", recording_.steps().size() + 1);
  return repeats_ == 1 ? options_.step : fmt::format("{}, {} {}", options_.step, options_.call, repeats_);
}

std::string Recorder::name_of(const void* module) {
  if (const auto found = names_.find(module); found != names_.end()) return found->second;
  auto found = std::find(unlisted_.begin(), unlisted_.end(), module);
  if (found == unlisted_.end()) found = unlisted_.insert(found, module);
  return fmt::format("attention {}", found - unlisted_.begin() + 1);
}

void Recorder::require_sequence_in(const Shape& call) const {
  if (call.rank() < 2 || call.rank() > 4)
    fail<ShapeError>("Recorder: attention {}: needs (Lq, …), (B, Lq, …) or (B, H, Lq, …)", call);
  if (call.rank() > 2 && (options_.sequence < 0 || options_.sequence >= call[0]))
    fail<ValueError>("Recorder: sequence {} of a batch of {}", options_.sequence, call[0]);
}

// The first of several queries may see itself only, so it is none of some.
std::vector<std::int64_t> Recorder::queries_of(std::int64_t count) const {
  const std::int64_t first = options_.some > 0 && count > 1 ? 1 : 0, left = count - first;
  const std::int64_t wanted = options_.some > 0 ? std::min(left, options_.some) : left;
  std::vector<std::int64_t> queries;
  for (std::int64_t i = 0; i < wanted; ++i) queries.push_back(first + i * left / wanted);
  return queries;
}

void Recorder::saw(const Attended& seen) {
  if (!seen_.insert(seen.module).second) {
    ++repeats_;
    step_ = next_step();
    seen_ = {seen.module};
  }
  require_sequence_in(seen.made.output.shape());
  RecordedAttention one = sight_of(seen, options_.sequence, queries_of(seen.made.output.size(-2)));
  one.of_some = options_.some > 0;
  one.step = step_;
  one.name = name_of(seen.module);
  one.queries = options_.queries;
  one.keys = options_.keys.empty() ? options_.queries : options_.keys;
  if (!options_.memory.empty()) {
    if (in_encoder(one.name)) one.queries = one.keys = options_.memory;
    if (is_cross(seen, one.name)) one.keys = options_.memory;
  }
  recording_.add(std::move(one));
  if (options_.some == 0) add_gradient_to(recording_.all_.back(), seen);
}

// outputᵢ = Σⱼ αᵢⱼ·vⱼ, so ∂loss/∂αᵢⱼ = ∂loss/∂outputᵢ · vⱼ where weights are not recorded. Fused dropout scales some of
// the weights, and which is not known.
void Recorder::add_gradient_to(const std::shared_ptr<RecordedAttention>& kept, const Attended& seen) const {
  const auto& [output, weights] = seen.made;
  const auto add = [kept](const Tensor& slopes) {
    const Tensor more = where(not_equal(kept->weights, 0.0), slopes, 0.0);
    kept->gradient = kept->gradient.defined() ? kept->gradient + more : more;
    return Variable();
  };
  const Shape call = output.shape();
  if (weights.defined() && weights.requires_grad())
    weights.on_gradient([add, call, sequence = options_.sequence](const Variable& g) {
      return add(of_sequence(g.value(), call, sequence));
    });
  if (!weights.defined() && output.requires_grad() && !seen.dropped) {
    const Tensor v = of_sequence(pairs::for_all_queries(seen.q, seen.v).value(), call, options_.sequence);
    output.on_gradient([add, call, v, sequence = options_.sequence](const Variable& g) {
      return add(matmul(of_sequence(g.value(), call, sequence), transpose(v)));
    });
  }
}

}  // namespace regard::nn
