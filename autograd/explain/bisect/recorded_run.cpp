#include "autograd/explain/bisect/recorded_run.h"

#include "autograd/backward.h"
#include "autograd/explain/bisect/finite.h"
#include "autograd/gradcheck/cotangent.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <algorithm>
#include <set>

namespace regard::bisecting {
namespace {

// Notes what is recorded while it lives.
class Notes : public Interceptor {
 public:
  explicit Notes(std::vector<Variable>& list) : list_(list) {}

  void recorded(const Variable& x) override { list_.push_back(x); }

 private:
  std::vector<Variable>& list_;
};

// Puts other values in the place of those that are recorded.
class Replacing : public Interceptor {
 public:
  using Replace = std::function<Tensor(std::size_t call, const graph::Inputs& inputs, const Tensor& computed)>;
  Replacing(const std::vector<Variable>& first_time, const Replace& replace)
      : first_time_(first_time), replace_(replace) {}

  Tensor changed(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) override {
    if (!must_record(inputs)) return value;
    const std::size_t call = count_++;
    if (call >= first_time_.size() || &first_time_[call].node()->op != &op ||
        first_time_[call].shape() != value.shape())
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          call + 1, op.name);
    return replace_(call, inputs, value);
  }

 private:
  const std::vector<Variable>& first_time_;
  const Replace& replace_;
  std::size_t count_ = 0;
};

// What x was made from, and itself: the numbers of all.
std::set<std::uint64_t> ancestors(const Variable& x) {
  std::set<std::uint64_t> seen;
  std::vector<Variable> waiting{x};
  while (!waiting.empty()) {
    const Variable next = std::move(waiting.back());
    waiting.pop_back();
    if (!seen.insert(next.order()).second || !next.node()) continue;
    waiting.insert(waiting.end(), next.node()->inputs.begin(), next.node()->inputs.end());
  }
  return seen;
}

}  // namespace

RecordedRun::RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names)
    : f_(f), names_(names) {
  for (const Variable& input : inputs) {
    if (input.dtype() == DType::f32)
      fail<ValueError>("bisect: an input is f32: its rounding hides wrong rules; convert it with to(x, DType::f64)");
    leaves_.push_back(is_float(input.dtype()) ? parameter(input.value()) : Variable(input.value()));
  }
  Variable output;
  {
    const Notes notes(recorded_);
    output = f_(leaves_);
  }
  const Tensor again = f_(fresh_leaves()).value();
  evaluations_ = 2;
  if (!identical(output.value(), again))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");
  const std::set<std::uint64_t> needed = ancestors(output);
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    if (leaves_[i].requires_grad()) places_[leaves_[i].order()] = i;
  for (std::size_t call = 0; call < recorded_.size(); ++call) {
    const Variable& x = recorded_[call];
    places_[x.order()] = leaves_.size() + call;
    if (!needed.count(x.order())) continue;
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: '{}' computes in {}: its rounding hides wrong rules; compute in f64", x.node()->op.name,
                       x.dtype());
    operations_.push_back(call);
  }
}

std::vector<Variable> RecordedRun::fresh_leaves() const {
  std::vector<Variable> leaves;
  for (const Variable& x : leaves_) leaves.push_back(x.requires_grad() ? parameter(x.value()) : x);
  return leaves;
}

void RecordedRun::run_again(const std::vector<Variable>& leaves, const Replace& replace) const {
  ++evaluations_;
  const Replacing replacing(recorded_, replace);
  f_(leaves);
}

std::optional<std::size_t> RecordedRun::source(const Variable& x) const {
  const auto place = places_.find(x.order());
  return place == places_.end() ? std::nullopt : std::optional(place->second);
}

std::vector<RecordedRun::Operand> RecordedRun::operands(std::size_t k) const {
  std::vector<Operand> list;
  std::set<std::size_t> seen;
  const graph::Inputs& inputs = node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const auto from = source(inputs[i]);
    if (!from || !seen.insert(*from).second) continue;
    if (*from < leaves_.size()) {
      list.push_back({i, *from < names_.size() ? names_[*from] : fmt::format("input {} of the function", *from)});
    } else {
      const auto number = std::ranges::find(operations_, *from - leaves_.size()) - operations_.begin();
      list.push_back({i, fmt::format("the result of operation {}, {}", number + 1, inputs[i].node()->op.name)});
    }
  }
  return list;
}

void RecordedRun::meet_alone(std::size_t k, const std::vector<Variable>& operands_of_k, const See& see) const {
  std::vector<Variable> leaves = fresh_leaves();
  std::map<std::size_t, Tensor> moved;  // by the number of the call
  const std::vector<Operand> list = operands(k);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const std::size_t from = *source(node(k).inputs[list[i].place]);
    const Tensor& value = operands_of_k.at(i).value();
    if (from < leaves.size())
      leaves[from] = parameter(value);
    else
      moved[from - leaves.size()] = value;
  }
  run_again(leaves, [&](std::size_t call, const graph::Inputs& inputs, const Tensor& computed) {
    if (!is_needed(call)) return computed;
    if (call == operations_[k]) see(inputs, computed);
    const auto other = moved.find(call);
    return other == moved.end() ? recorded_[call].value() : other->second;
  });
}

Function RecordedRun::alone(std::size_t k) const {
  return [this, k](const std::vector<Variable>& in) {
    const SetRecording always(true);
    Tensor value;
    meet_alone(k, in, [&](const graph::Inputs&, const Tensor& computed) { value = computed; });
    graph::Inputs inputs;
    for (const Variable& x : node(k).inputs) inputs.push_back(Variable(x.value()));
    const std::vector<Operand> list = operands(k);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      for (std::size_t n = 0; n < list.size(); ++n)
        if (node(k).inputs[i].same_as(node(k).inputs[list[n].place])) inputs[i] = in[n];
    return record(node(k).op, inputs, value, node(k).rule);
  };
}

std::optional<std::size_t> RecordedRun::unrecorded_input_that_moves(std::size_t k) const {
  Generator generator(k);
  std::vector<Variable> moved;
  for (const Operand& operand : operands(k)) {
    const Tensor& x = node(k).inputs[operand.place].value();
    moved.emplace_back(x + 1e-6 * gradchecks::random_cotangent(x.shape(), generator));
  }
  std::optional<std::size_t> found;
  meet_alone(k, moved, [&](const graph::Inputs& inputs, const Tensor&) {
    for (std::size_t i = 0; i < inputs.size() && !found; ++i)
      if (!source(node(k).inputs[i]) && !identical(inputs[i].value(), node(k).inputs[i].value())) found = i;
  });
  return found;
}

std::vector<Tensor> RecordedRun::results_when_all_move(double t, const std::vector<Tensor>& moves) const {
  const auto moved = [&](std::size_t i) { return movable(i).value() + t * moves[i]; };
  std::vector<Variable> leaves;
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    leaves.push_back(leaves_[i].requires_grad() ? parameter(moved(i)) : leaves_[i]);
  std::vector<Tensor> computed_by(recorded_.size()), results;
  run_again(leaves, [&](std::size_t call, const graph::Inputs&, const Tensor& computed) {
    if (!is_needed(call)) return computed;
    computed_by[call] = computed;
    return moved(leaves_.size() + call);
  });
  for (const std::size_t call : operations_) results.push_back(computed_by[call]);
  return results;
}

std::vector<Tensor> RecordedRun::random_moves(std::uint64_t seed) const {
  Generator generator(seed);
  std::vector<Tensor> moves;
  for (std::size_t i = 0; i < leaves_.size() + recorded_.size(); ++i) {
    const Tensor& x = movable(i).value();
    if (x.dtype() != DType::f64) {
      moves.push_back(x);
      continue;
    }
    const Tensor steps = gradchecks::random_cotangent(x.shape(), generator) * maximum(abs(x), 1);
    moves.push_back(where(is_finite(x), steps, 0));
  }
  return moves;
}

double RecordedRun::slope_by_rule(std::size_t k, const Tensor& gradient, const std::vector<Tensor>& moves) const {
  const NoGrad no_grad;
  const graph::Gradients gradients = graph::apply_rule(result(k), gradient);
  double slope = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i)
    if (const auto from = source(node(k).inputs[i])) slope += sum(gradients[i].value() * moves[*from]).item();
  return slope;
}

}  // namespace regard::bisecting
