#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "autograd/record.h"

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace regard::bisecting {

using gradchecks::Function;

// Scores that are masked are −∞. Such a number cannot be moved, and ∞ − ∞ is NaN, so no slope is measured there. The
// numbers beside it can be judged all the same.
Tensor is_finite(const Tensor& x);    // 1 where x is a number, 0 where it is infinite or NaN
Tensor finite_part(const Tensor& x);  // 0 where x is not finite

// How fast tensors move with t at t = 0: the slopes over steps of h and h/2, put together so that the bend cancels.
std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at);

// The operations that a function records, in the order in which it does, and a way to meet each of them alone.
//
// What an operation computes is known only to the code that calls it: a node holds the rule, not the formula. But the
// function can be run again, and whatever it records can be replaced on the way. So an operation is met alone by a run
// in which the results of all operations before it are put back to the values they had, but for those of its inputs
// that are to be moved: what it then computes depends on its own inputs and on nothing else.
//
// Values that can be moved have one numbering: first the inputs of the function, then the result of each operation on
// which its output depends. An operation is told by the number of its result.
class RecordedRun {
 public:
  // Runs f twice. The inputs are f64, or i64 that are passed on. Throws a ValueError in the name of bisect where f
  // computes in f32, or another result the second time, or where no input has a gradient.
  RecordedRun(const Function& f, const std::vector<Variable>& inputs);

  std::size_t first_operation() const { return leaf_count_; }
  std::size_t end() const { return values_.size(); }
  const Variable& value(std::size_t n) const { return values_[n]; }
  const graph::Node& node(std::size_t operation) const { return *values_[operation].node(); }
  bool can_be_moved(const Variable& x) const { return numbers_.contains(x.order()); }
  std::string origin(std::size_t n, const std::vector<std::string>& input_names) const;  // "the result of operation 3"

  // The values that an operation is a function of, with their places among its inputs. One that it uses twice, as in
  // x·x, has its first place. A parameter that f holds, and is not given as an input, cannot be moved.
  struct Operand {
    std::size_t place, value;
  };
  std::vector<Operand> operands(std::size_t operation) const;

  // The operation as a function of the finite parts of its operands: what is not finite in them stays as it is, and
  // what is not finite in the result counts as 0. It is recorded with its own rule.
  Function alone(std::size_t operation) const;
  std::vector<Variable> finite_operands(std::size_t operation) const;

  // What a rule returns for this gradient of the result, one for each operand; 0 where something is not finite.
  std::vector<Tensor> by_rule(std::size_t operation, const graph::Rule& rule, const Tensor& gradient) const;

  // Runs f again. Each operation has those of its inputs moved that are `moving`, by t·direction, all in the same run:
  // what an operation computes is noted, and then replaced by its old value (moved).
  using Values = std::set<std::size_t>;
  struct Rerun {
    std::vector<Tensor> computed;    // by each operation, before it was replaced; the inputs of f as they were given
    std::vector<Variable> recorded;  // after it was replaced, with the inputs and the rule of that run
  };
  Rerun moved(double t, const Values& moving) const;

  // How fast what is computed then moves.
  std::vector<Tensor> speeds_of_results(const Values& moving) const;

  // A random one for each value: elements in ±[½, 1½], times their own size if that is above 1. What is not finite does
  // not move.
  const Tensor& direction(std::size_t n) const { return directions_[n]; }

  std::int64_t evaluation_count() const { return evaluations_; }  // how often f was run

 private:
  Rerun run_again(const std::function<Tensor(std::size_t n)>& value_of) const;
  // The operation recorded once more, with other operands, result or rule.
  Variable again(std::size_t operation, const std::map<std::size_t, Variable>& operands, const Tensor& result,
                 const graph::Rule& rule) const;

  const Function& f_;
  std::vector<Variable> inputs_;    // of f
  std::vector<Variable> recorded_;  // everything, in its order
  std::vector<Variable> values_;    // that can be moved
  std::size_t leaf_count_;          // so many of them are inputs of f
  std::vector<Tensor> directions_;
  std::map<std::uint64_t, std::size_t> numbers_;  // of the values, by order()
  mutable std::int64_t evaluations_ = 2;
};

}  // namespace regard::bisecting
