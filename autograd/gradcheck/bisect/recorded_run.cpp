#include "autograd/gradcheck/bisect/recorded_run.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/gradcheck/bisect/finite.h"
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
class Notes : public Observer {
 public:
  explicit Notes(std::vector<Variable>& list) : list_(list) {}

  void recorded(const Variable& x) override { list_.push_back(x); }

 private:
  std::vector<Variable>& list_;
};

struct LastWasRecorded {};  // thrown to end a run

// Puts other values in the place of those that are recorded.
class Replacing : public Observer {
 public:
  using Replace = std::function<Tensor(std::size_t call, const Tensor& computed)>;
  Replacing(const std::vector<Variable>& first_time, const Replace& replace, std::optional<std::size_t> last)
      : first_time_(first_time), replace_(replace), last_(last) {}

  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value) override {
    if (!must_record(inputs)) return value;
    const std::size_t call = count_++;
    if (call >= first_time_.size() || &first_time_[call].node()->op != &op ||
        first_time_[call].shape() != value.shape())
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          call + 1, op.name);
    return replace_(call, value);
  }

  void recorded(const Variable& x) override {
    if (last_ != count_ - 1) return;
    last_recorded = x;
    throw LastWasRecorded();
  }

  Variable last_recorded;

 private:
  const std::vector<Variable>& first_time_;
  const Replace& replace_;
  std::optional<std::size_t> last_;
  std::size_t count_ = 0;
};

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
  const Tensor again = f_(fresh_leaves([&](std::size_t i) { return leaves_[i].value(); })).value();
  evaluations_ = 2;
  if (!identical(output.value(), again))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");
  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
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

std::vector<Variable> RecordedRun::fresh_leaves(const ValueOf& value_of) const {
  std::vector<Variable> leaves;
  for (std::size_t i = 0; i < leaves_.size(); ++i)
    leaves.push_back(leaves_[i].requires_grad() ? parameter(value_of(i)) : leaves_[i]);
  return leaves;
}

Variable RecordedRun::run_again(const std::vector<Variable>& leaves, const Replace& replace,
                                std::optional<std::size_t> last) const {
  ++evaluations_;
  Replacing replacing(recorded_, replace, last);
  try {
    f_(leaves);
  } catch (const LastWasRecorded&) {
  }
  return replacing.last_recorded;
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
      list.push_back(
          {i, *from, *from < names_.size() ? names_[*from] : fmt::format("input {} of the function", *from)});
    } else {
      const auto number = std::ranges::find(operations_, *from - leaves_.size()) - operations_.begin();
      list.push_back({i, *from, fmt::format("the result of operation {}, {}", number + 1, inputs[i].node()->op.name)});
    }
  }
  return list;
}

RecordedRun::Meeting RecordedRun::meet(std::size_t k, const ValueOf& value_of) const {
  Tensor value;
  const Variable x = run_again(
      fresh_leaves(value_of),
      [&](std::size_t call, const Tensor& computed) {
        if (call == operations_[k]) value = computed;
        return is_needed(call) ? value_of(leaves_.size() + call) : computed;
      },
      operations_[k]);
  return {x, value};
}

Function RecordedRun::alone(std::size_t k) const {
  return [this, k](const std::vector<Variable>& in) {
    const SetRecording always(true);
    std::map<std::size_t, Variable> given;
    for (const Operand& operand : operands(k)) given.emplace(operand.source, in.at(given.size()));
    const Tensor value = meet(k, [&](std::size_t i) {
                           const auto other = given.find(i);
                           return other == given.end() ? movable(i).value() : other->second.value();
                         }).computed;
    graph::Inputs inputs;
    for (const Variable& x : node(k).inputs) {
      const auto from = source(x);
      inputs.push_back(from ? given.at(*from) : Variable(x.value()));
    }
    return record(node(k).op, inputs, value, node(k).rule);
  };
}

RecordedRun::ValueOf RecordedRun::moved(double t, const std::vector<Tensor>& moves) const {
  return [this, t, &moves](std::size_t i) { return movable(i).value() + t * moves[i]; };
}

RecordedRun::Meeting RecordedRun::meet(std::size_t k, double t, const std::vector<Tensor>& moves) const {
  return meet(k, moved(t, moves));
}

std::vector<Tensor> RecordedRun::results_when_all_move(double t, const std::vector<Tensor>& moves) const {
  const ValueOf value_of = moved(t, moves);
  std::vector<Tensor> computed_by(recorded_.size()), results;
  run_again(fresh_leaves(value_of), [&](std::size_t call, const Tensor& computed) {
    if (!is_needed(call)) return computed;
    computed_by[call] = computed;
    return value_of(leaves_.size() + call);
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

std::vector<RecordedRun::ByRule> RecordedRun::by_rule(std::size_t k, const Tensor& gradient,
                                                      const std::vector<Tensor>& moves) const {
  const NoGrad no_grad;
  const graph::Gradients gradients = graph::apply_rule(result(k), gradient);
  std::vector<ByRule> list;
  for (const Operand& operand : operands(k)) {
    Tensor parts = zeros(moves[operand.source].shape(), DType::f64);
    for (std::size_t i = 0; i < gradients.size(); ++i)
      if (source(node(k).inputs[i]) == operand.source) parts = parts + gradients[i].value() * moves[operand.source];
    list.push_back({sum(parts).item(), sum(abs(parts)).item()});
  }
  return list;
}

}  // namespace regard::bisecting
