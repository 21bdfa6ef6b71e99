#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "autograd/record.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace regard::bisecting {

using gradchecks::Function;

// Scores that are masked are −∞. Such a number cannot be moved, and ∞ − ∞ is NaN, so no slope is measured there. The
// numbers beside it can be judged all the same.
Tensor is_finite(const Tensor& x);    // 1 where x is a number, 0 where it is infinite or NaN
Tensor finite_part(const Tensor& x);  // 0 where x is not finite

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
  const Variable& result(std::size_t k) const { return values_[operations_[k]]; }
  const graph::Node& node(std::size_t k) const { return *result(k).node(); }

  // One input of an operation: its number among them, the first if it has several; its index among the values that can
  // be moved; and where it comes from, as words such as "input 0 of the function" or "the result of operation 3, exp".
  struct Operand {
    std::size_t input, source;
    std::string origin;
  };
  // The inputs of operation k that can be moved. One that is used twice, as in x·x, is one. A parameter that f holds,
  // and is not given as an input, cannot be moved.
  std::vector<Operand> operands(std::size_t k) const;
  bool can_be_moved(const Variable& x) const { return indexes_.contains(x.order()); }

  // What the rule of operation k returns for this gradient of its result, one for each operand. `result` is that of
  // operation k, or one that was recorded with other inputs.
  std::vector<Tensor> by_rule(std::size_t k, const Variable& result, const Tensor& gradient) const;

  // Operation k as a function of its operands, recorded with its own rule.
  Function alone(std::size_t k) const;

  // A direction for each of the values that can be moved: the inputs of f, then all that it records. In the random
  // ones elements are in ±[½, 1½], times their own size if that is above 1; what is not finite does not move.
  using Moves = std::vector<Tensor>;
  Moves random_moves(std::uint64_t seed) const;

  // Runs f again. Each operation has its own inputs moved by t·move, all in the same run: what an operation computes
  // is noted, and then replaced by its old value + t·move.
  struct Rerun {
    std::vector<Tensor> computed;    // by each operation
    std::vector<Variable> recorded;  // for each: it has the inputs and the rule of that run
  };
  Rerun moved(double t, const Moves& moves) const;

  std::int64_t evaluation_count() const { return evaluations_; }  // how often f was run

 private:
  // The value that one of those that can be moved is to have, by its index among them.
  using ValueOf = std::function<Tensor(std::size_t index)>;
  std::vector<Variable> fresh_leaves(const ValueOf& value_of) const;
  Rerun run_again(const ValueOf& value_of) const;
  bool is_same(std::size_t index, const OpInfo& op, const Shape& shape) const;

  const Function& f_;
  std::vector<std::string> names_;  // of the inputs of f, as far as they have one
  std::size_t leaf_count_;
  std::vector<Variable> values_;                  // that can be moved: the leaves, then all that was recorded
  std::map<std::uint64_t, std::size_t> indexes_;  // among them, by order()
  std::vector<std::size_t> operations_;           // the indexes of those on which the output depends
  mutable std::int64_t evaluations_ = 2;
};

}  // namespace regard::bisecting
