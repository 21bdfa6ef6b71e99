#include "autograd/gradcheck/bisect/recorded_run.h"

#include "autograd/ancestors.h"
#include "autograd/backward.h"
#include "autograd/gradcheck/cotangent.h"
#include "autograd/ops/arithmetic.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"

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

// Puts other values where some are recorded.
class Replacing : public Observer {
 public:
  // What is to replace what was computed, for one of the values of the first run.
  using Replace = std::function<Tensor(std::size_t index, const Tensor& computed)>;
  Replacing(const std::vector<Variable>& values, std::size_t leaf_count, std::size_t last, const Replace& replace)
      : values_(values), leaf_count_(leaf_count), last_(last), next_(leaf_count), replace_(replace) {}

  Tensor value(const OpInfo& op, const graph::Inputs& inputs, const Tensor& computed) override {
    if (!must_record(inputs)) return computed;
    const std::size_t index = next_++;
    if (index >= values_.size() || &values_[index].node()->op != &op || values_[index].shape() != computed.shape())
      fail<ValueError>(
          "bisect: the function records other operations when a value in it moves a little, from operation {} on, "
          "'{}' (make what it does independent of the values)",
          index - leaf_count_ + 1, op.name);
    return replace_(index, computed);
  }

  void recorded(const Variable& x) override {
    if (next_ != last_ + 1) return;
    last_recorded = x;
    if (next_ < values_.size()) throw LastWasRecorded();  // else nothing should come, and if it does it is told
  }

  Variable last_recorded;

 private:
  const std::vector<Variable>& values_;
  std::size_t leaf_count_, last_, next_;
  const Replace& replace_;
};

}  // namespace

Tensor is_finite(const Tensor& x) { return equal(x - x, 0); }

Tensor finite_part(const Tensor& x) { return where(is_finite(x), x, 0); }

Function of_finite_part(Function f, std::vector<Variable> inputs) {
  return [f = std::move(f), inputs = std::move(inputs)](const std::vector<Variable>& finite) {
    std::vector<Variable> all;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      all.push_back(where(is_finite(inputs[i].value()), finite[i], inputs[i]));
    const Variable y = f(all);
    return where(is_finite(y.value()), y, 0);
  };
}

RecordedRun::RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names)
    : f_(f), names_(names), leaf_count_(inputs.size()) {
  for (const Variable& input : inputs) {
    if (input.dtype() == DType::f32)
      fail<ValueError>("bisect: an input is f32: its rounding hides wrong rules; convert it with to(x, DType::f64)");
    values_.push_back(is_float(input.dtype()) ? parameter(input.value()) : Variable(input.value()));
  }
  const std::vector<Variable> leaves = values_;
  Variable output;
  {
    const Notes notes(values_);
    output = f_(leaves);
  }
  const Tensor again = f_(fresh_leaves([&](std::size_t i) { return values_[i].value(); })).value();
  evaluations_ = 2;
  if (!identical(output.value(), again))
    fail<ValueError>("bisect: the function gives different results when called twice (give it a fixed Generator)");
  if (!output.requires_grad()) fail<ValueError>("bisect: the result depends on no input that has a gradient");
  std::set<std::uint64_t> needed;
  graph::for_each_ancestor({output}, [&](const Variable& x) { return needed.insert(x.order()).second; });
  for (std::size_t index = 0; index < values_.size(); ++index) {
    const Variable& x = values_[index];
    if (x.requires_grad()) indexes_[x.order()] = index;
    if (x.is_leaf() || !needed.contains(x.order())) continue;
    if (x.dtype() != DType::f64)
      fail<ValueError>("bisect: '{}' computes in {}: its rounding hides wrong rules; compute in f64", x.node()->op.name,
                       x.dtype());
    operations_.push_back(index);
  }
}

std::vector<Variable> RecordedRun::fresh_leaves(const ValueOf& value_of) const {
  std::vector<Variable> leaves;
  for (std::size_t i = 0; i < leaf_count_; ++i)
    leaves.push_back(values_[i].requires_grad() ? parameter(value_of(i)) : values_[i]);
  return leaves;
}

// Operations that only lead to values that are not recorded are left to compute what they compute.
RecordedRun::Rerun RecordedRun::run_up_to(std::size_t k, const ValueOf& value_of) const {
  ++evaluations_;
  Rerun run;
  const Replacing::Replace replace = [&](std::size_t index, const Tensor& computed) {
    if (!std::ranges::binary_search(operations_, index)) return computed;
    run.computed.push_back(computed);
    return value_of(index);
  };
  Replacing replacing(values_, leaf_count_, operations_[k], replace);
  try {
    f_(fresh_leaves(value_of));
  } catch (const LastWasRecorded&) {
  }
  run.last = replacing.last_recorded;
  return run;
}

RecordedRun::Rerun RecordedRun::run_up_to(std::size_t k, double t, const Moves& moves) const {
  return run_up_to(k, [&](std::size_t index) { return values_[index].value() + t * moves[index]; });
}

Function RecordedRun::alone(std::size_t k) const {
  return [this, k](const std::vector<Variable>& in) {
    const SetRecording always(true);
    std::map<std::size_t, Variable> given;
    for (const Operand& operand : operands(k)) given.emplace(operand.source, in.at(given.size()));
    const Rerun run = run_up_to(
        k, [&](std::size_t index) { return given.contains(index) ? given.at(index).value() : values_[index].value(); });
    graph::Inputs inputs;
    for (const Variable& x : node(k).inputs)
      inputs.push_back(can_be_moved(x) ? given.at(indexes_.at(x.order())) : Variable(x.value()));
    return record(node(k).op, inputs, run.computed.back(), node(k).rule);
  };
}

std::vector<RecordedRun::Operand> RecordedRun::operands(std::size_t k) const {
  std::vector<Operand> list;
  std::set<std::size_t> seen;
  const graph::Inputs& inputs = node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!can_be_moved(inputs[i])) continue;
    const std::size_t from = indexes_.at(inputs[i].order());
    if (!seen.insert(from).second) continue;
    const auto number = std::ranges::find(operations_, from) - operations_.begin() + 1;
    std::string origin = fmt::format("input {} of the function", from);
    if (from < names_.size()) origin = names_[from];
    if (from >= leaf_count_) origin = fmt::format("the result of operation {}, {}", number, inputs[i].node()->op.name);
    list.push_back({i, from, origin});
  }
  return list;
}

std::vector<Tensor> RecordedRun::by_rule(std::size_t k, const Variable& result, const Tensor& gradient) const {
  const NoGrad no_grad;
  const graph::Gradients gradients = graph::apply_rule(result, gradient);
  const graph::Inputs& inputs = node(k).inputs;
  std::vector<Tensor> list;
  for (const Operand& operand : operands(k)) {
    const Variable& x = inputs[operand.input];
    Tensor total = zeros(x.shape(), DType::f64);
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i].same_as(x)) total = total + gradients[i].value();
    list.push_back(total);
  }
  return list;
}

RecordedRun::Moves RecordedRun::random_moves(std::uint64_t seed) const {
  Generator generator(seed);
  Moves moves;
  for (const Variable& value : values_) {
    const Tensor& x = value.value();
    if (x.dtype() == DType::f64) {
      const Tensor steps = gradchecks::random_cotangent(x.shape(), generator) * maximum(abs(x), 1);
      moves.push_back(where(is_finite(x), steps, 0));
    } else {
      moves.push_back(x);
    }
  }
  return moves;
}

}  // namespace regard::bisecting
