#include "nn/tools/view/recording.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/matmul.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

Tensor rows_of(const Tensor& x, const std::vector<std::int64_t>& some) {
  std::vector<Tensor> rows;
  for (const std::int64_t i : some) rows.push_back(slice(x, 1, i, i + 1));
  return cat(rows, 1);
}

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

Tensor RecordedAttention::weights_of(const std::vector<std::int64_t>& some) const {
  return weights.defined() ? rows_of(weights, some) : rows(some);
}
Tensor RecordedAttention::scores_of(const std::vector<std::int64_t>& some) const {
  if (scores.defined()) return rows_of(scores, some);
  return score_rows ? score_rows(some) : Tensor();
}
// outputᵢ = Σⱼ αᵢⱼ·vⱼ, so ∂loss/∂αᵢⱼ = ∂loss/∂outputᵢ · vⱼ. For a pair that is hidden it is 0.
Tensor RecordedAttention::gradient_of(const std::vector<std::int64_t>& some) const {
  if (!has_gradient()) return {};
  const Tensor slopes =
      gradient.defined() ? rows_of(gradient, some) : matmul(rows_of(output_gradient, some), transpose(values));
  return where(not_equal(weights_of(some), 0.0), slopes, 0.0);
}

RecordedAttention& Recording::add(RecordedAttention one) { return *keep(std::move(one)); }

std::shared_ptr<RecordedAttention> Recording::keep(RecordedAttention one) {
  for (Tensor* x : {&one.weights, &one.scores, &one.gradient})
    if (x->defined() && x->rank() == 2) *x = unsqueeze(*x, 0);
  if (one.weights.defined()) {
    if (one.weights.rank() != 3)
      fail<ShapeError>("Recording: weights {} of '{}': needs (H, Lq, Lk) or (Lq, Lk)", one.weights.shape(), one.name);
    one.heads = one.weights.size(0), one.query_count = one.weights.size(1), one.key_count = one.weights.size(2);
  } else if (!one.rows) {
    fail<ValueError>("Recording: '{}' has no weights", one.name);
  }
  const Shape pairs{one.heads, one.query_count, one.key_count};
  for (const Tensor* x : {&one.scores, &one.gradient})
    if (x->defined() && x->shape() != pairs)
      fail<ShapeError>("Recording: scores or gradient {} of '{}', beside weights {}", x->shape(), one.name, pairs);
  const Tensor &q = one.formula.q, &k = one.formula.k;
  const auto is = [&](const Tensor& x, std::int64_t rows) {
    return x.defined() && x.rank() == 3 && x.size(0) == one.heads && x.size(1) == rows;
  };
  if (one.formula.kind != ScoreFormula::Kind::other &&
      !(is(q, one.query_count) && is(k, one.key_count) && q.size(2) == k.size(2)))
    fail<ShapeError>("Recording: the formula of '{}' has no q and k that fit weights {}", one.name, pairs);
  all_.push_back(std::make_shared<RecordedAttention>(std::move(one)));
  return all_.back();
}

std::vector<std::string> Recording::steps() const { return each_once(all_, &RecordedAttention::step); }
std::vector<std::string> Recording::names() const { return each_once(all_, &RecordedAttention::name); }

Recorder::Recorder(Recording& into, const RecorderOptions& options) : recording_(into), options_(options) {
  step_ = next_step();
}

Recorder::Recorder(Recording& into, const std::function<void(Visitor&)>& visit, const RecorderOptions& options)
    : Recorder(into, options) {
  PathsOfAttention paths;
  visit(paths);
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

std::int64_t Recorder::sequence_of(const Shape& call) const {
  const std::int64_t sequence = options_.sequence;
  if (call.rank() < 2 || call.rank() > 4)
    fail<ShapeError>("Recorder: attention {}: needs (Lq, …), (B, Lq, …) or (B, H, Lq, …)", call);
  if (call.rank() > 2 && (sequence < 0 || sequence >= call[0]))
    fail<ValueError>("Recorder: sequence {} of a batch of {}", sequence, call[0]);
  return sequence;
}

void Recorder::saw(const Attended& seen) {
  if (!seen_.insert(seen.module).second) {
    ++repeats_;
    step_ = next_step();
    seen_ = {seen.module};
  }
  const auto& [output, weights] = seen.made;
  const Shape call = weights.defined() ? weights.shape() : output.shape();
  const std::int64_t sequence = sequence_of(call);
  RecordedAttention one = sight_of(seen, sequence);
  one.step = step_;
  one.name = name_of(seen.module);
  one.queries = options_.queries;
  one.keys = options_.keys.empty() ? options_.queries : options_.keys;
  if (!options_.memory.empty()) {
    if (in_encoder(one.name)) one.queries = one.keys = options_.memory;
    if (is_cross(seen, one.name)) one.keys = options_.memory;
  }
  const auto kept = recording_.keep(std::move(one));
  const auto add_gradient = [kept, call, sequence](Tensor RecordedAttention::*to) {
    return [=](const Variable& g) {
      const Tensor more = of_sequence(g.value(), call, sequence);
      Tensor& sum = (*kept).*to;
      sum = sum.defined() ? sum + more : more;
      return Variable();
    };
  };
  if (weights.defined() && weights.requires_grad()) weights.on_gradient(add_gradient(&RecordedAttention::gradient));
  if (!weights.defined() && output.requires_grad() && !seen.dropped)
    output.on_gradient(add_gradient(&RecordedAttention::output_gradient));
}

}  // namespace regard::nn
