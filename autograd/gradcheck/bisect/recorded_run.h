#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "autograd/record.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regard::bisecting {

using gradchecks::Function;

// The operations that a function records, in the order in which it does, and a way to meet each of them alone.
//
// What an operation computes is known only to the code that calls it: a node holds the rule, not the formula. But the
// function can be run again, and whatever it records can be replaced on the way. So an operation k is met alone by a
// run in which the results of all operations before it are put back to the values they had, but for those of its
// inputs that are to be moved: what k then computes depends on its own inputs and on nothing else.
class RecordedRun {
 public:
  // Runs f twice. The inputs are f64, or i64 that are passed on. Throws a ValueError in the name of bisect where f
  // computes in f32, or another result the second time, or where no input has a gradient.
  RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names = {});

  // The operations on which the output depends.
  std::size_t operation_count() const { return operations_.size(); }
  const Variable& result(std::size_t k) const { return recorded_[operations_[k]]; }
  const graph::Node& node(std::size_t k) const { return *result(k).node(); }

  // One input of an operation: where it first stands among them, its place among the values that can be moved, and
  // where it comes from, as words such as "input 0 of the function" or "the result of operation 3, exp".
  struct Operand {
    std::size_t place, source;
    std::string origin;
  };
  // The inputs of operation k that can be moved. One that is used twice, as in x·x, is one. A parameter that f holds,
  // and is not given as an input, cannot be moved.
  std::vector<Operand> operands(std::size_t k) const;

  bool can_be_moved(const Variable& x) const { return source(x).has_value(); }

  // Operation k as a function of its operands, recorded with its own rule.
  Function alone(std::size_t k) const;

  // A random direction for each of the values that can be moved: the inputs of f, then all that it records. Elements
  // are in ±[½, 1½], times their own size if that is above 1; what is not finite does not move.
  std::vector<Tensor> random_moves(std::uint64_t seed) const;

  // What all operations compute when each has its own inputs moved, all in the same run: what an operation computes is
  // noted, and then replaced by its old value + t·move. One result for each of the operations.
  std::vector<Tensor> results_when_all_move(double t, const std::vector<Tensor>& moves) const;

  // The same run, as operation k sees it. It ends there: what comes later does not matter.
  struct Meeting {
    Variable recorded;  // has the inputs and the rule of that run
    Tensor computed;
  };
  Meeting meet(std::size_t k, double t, const std::vector<Tensor>& moves) const;

  // What the rule of operation k returns for this gradient of the result, one for each operand ∂x.
  struct ByRule {
    double slope;    // Σ ∂x·move
    double at_most;  // Σ |∂x·move|
  };
  std::vector<ByRule> by_rule(std::size_t k, const Tensor& gradient, const std::vector<Tensor>& moves) const;

  std::int64_t evaluation_count() const { return evaluations_; }  // how often f was run

 private:
  // What operation number `call` computed; returns what is to stand in its place.
  using Replace = std::function<Tensor(std::size_t call, const Tensor& computed)>;
  // Runs f up to the end, or up to operation number `last`, and returns what is then recorded for that.
  Variable run_again(const std::vector<Variable>& leaves, const Replace& replace,
                     std::optional<std::size_t> last = {}) const;
  // Operations that only lead to values that are not recorded are left to compute what they compute.
  bool is_needed(std::size_t call) const { return std::ranges::binary_search(operations_, call); }
  std::optional<std::size_t> source(const Variable& x) const;  // its place among the values that can be moved
  const Variable& movable(std::size_t i) const {
    return i < leaves_.size() ? leaves_[i] : recorded_[i - leaves_.size()];
  }
  // The value that one of those that can be moved has in a run, by its place among them.
  using ValueOf = std::function<Tensor(std::size_t i)>;
  std::vector<Variable> fresh_leaves(const ValueOf& value_of) const;
  ValueOf moved(double t, const std::vector<Tensor>& moves) const;
  Meeting meet(std::size_t k, const ValueOf& value_of) const;

  const Function& f_;
  std::vector<std::string> names_;  // of the inputs of f, as far as they have one
  std::vector<Variable> leaves_, recorded_;
  std::vector<std::size_t> operations_;          // those of the recorded on which the output depends
  std::map<std::uint64_t, std::size_t> places_;  // of the values that can be moved, by order()
  mutable std::int64_t evaluations_ = 0;
};

}  // namespace regard::bisecting
