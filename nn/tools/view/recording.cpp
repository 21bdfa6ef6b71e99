#include "nn/tools/view/recording.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/matmul.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard::nn {
namespace {

// Of x, whose first axes broadcast to those of a call, one sequence: (H, …, …). It is a copy, so that the others can
// go; heads that share keys share them here too.
Tensor of_sequence(const Tensor& x, const Shape& call, std::int64_t sequence) {
  if (!x.defined()) return x;
  const bool in_batch = call.rank() > 2 && x.rank() == call.rank();
  const Tensor mine = in_batch ? select(x, 0, x.size(0) == 1 ? 0 : sequence) : x;
  const Tensor copy = cat({mine}, 0);
  const std::int64_t heads = call.rank() == 4 ? call[1] : 1;
  return expand(copy.rank() == 2 ? unsqueeze(copy, 0) : copy, {heads, x.size(-2), x.size(-1)});
}

Tensor rows_of(const Tensor& x, const std::vector<std::int64_t>& some) {
  std::vector<Tensor> rows;
  for (const std::int64_t i : some) rows.push_back(slice(x, 1, i, i + 1));
  return cat(rows, 1);
}

void add_to(Tensor& sum, const Tensor& more) { sum = sum.defined() ? sum + more : more; }

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
  const auto with_heads = [](Tensor& x) {
    if (x.defined() && x.rank() == 2) x = unsqueeze(x, 0);
  };
  for (Tensor* x : {&one.weights, &one.scores, &one.gradient, &one.formula.q, &one.formula.k}) with_heads(*x);
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
  if (one.formula.kind != ScoreFormula::Kind::other) {
    const Tensor &q = one.formula.q, &k = one.formula.k;
    if (!q.defined() || !k.defined() || q.rank() != 3 || k.rank() != 3 || q.size(1) != one.query_count ||
        k.size(1) != one.key_count || q.size(2) != k.size(2))
      fail<ShapeError>("Recording: the formula of '{}' has no q and k that fit weights {}", one.name, pairs);
    one.formula.q = expand(q, {one.heads, one.query_count, q.size(2)});
    one.formula.k = expand(k, {one.heads, one.key_count, k.size(2)});
  }
  all_.push_back(std::make_shared<RecordedAttention>(std::move(one)));
  return all_.back();
}

namespace {
std::vector<std::string> each_once(const std::vector<std::string>& words) {
  std::vector<std::string> once;
  for (const std::string& word : words)
    if (std::find(once.begin(), once.end(), word) == once.end()) once.push_back(word);
  return once;
}
}  // namespace

std::vector<std::string> Recording::steps() const {
  std::vector<std::string> all;
  for (const auto& one : all_) all.push_back(one->step);
  return each_once(all);
}
std::vector<std::string> Recording::names() const {
  std::vector<std::string> all;
  for (const auto& one : all_) all.push_back(one->name);
  return each_once(all);
}

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
  const Sight sight = sight_of(seen, sequence);
  const auto mine = [call, sequence](const Tensor& x) { return of_sequence(x, call, sequence); };

  RecordedAttention one{.step = step_, .name = name_of(seen.module)};
  one.offset = seen.offset;
  one.heads = call.rank() == 4 ? call[1] : 1;
  one.query_count = call[call.rank() - 2];
  one.key_count = sight.v.size(-2);
  one.queries = options_.queries;
  one.keys = options_.keys.empty() ? options_.queries : options_.keys;
  if (!options_.memory.empty()) {
    if (in_encoder(one.name)) one.queries = one.keys = options_.memory;
    if (is_cross(seen, one.name)) one.keys = options_.memory;
  }
  one.formula = sight.formula;
  one.formula.q = mine(sight.formula.q);
  one.formula.k = mine(sight.formula.k);
  if (weights.defined()) {
    one.weights = mine(weights.value());
    if (sight.scores.defined() && sight.scores.shape() == call) one.scores = mine(sight.scores);
  } else {
    one.rows = [mine, rows = sight.rows](const auto& some) { return mine(rows(some)); };
    if (sight.score_rows)
      one.score_rows = [mine, rows = sight.score_rows](const auto& some) { return mine(rows(some)); };
    one.values = mine(sight.v);
  }
  const auto kept = recording_.keep(std::move(one));
  if (weights.defined() && weights.requires_grad())
    weights.on_gradient([kept, mine](const Variable& g) {
      add_to(kept->gradient, mine(g.value()));
      return Variable();
    });
  if (!weights.defined() && output.requires_grad() && !seen.dropped)
    output.on_gradient([kept, mine](const Variable& g) {
      add_to(kept->output_gradient, mine(g.value()));
      return Variable();
    });
}

}  // namespace regard::nn
