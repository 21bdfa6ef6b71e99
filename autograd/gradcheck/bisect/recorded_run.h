#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"

#include <algorithm>
#include <map>
#include <set>

namespace regard::bisecting {

using gradchecks::Function;
using Moves = std::function<bool(std::size_t value)>;

// Scores that are masked are −∞. Such a number cannot be moved, and ∞ − ∞ is NaN, so no slope is measured there. The
// numbers beside it can be judged all the same.
inline Tensor is_finite(const Tensor& x) { return equal(x - x, 0); }  // 1 where x is a number, else 0
inline Tensor finite_part(const Tensor& x) { return where(is_finite(x), x, 0); }

// How fast tensors move with t at t = 0: the slopes over steps of h and h/2, put together so that the bend cancels.
std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at);

template <class List>
std::size_t place_of(const Variable& x, const List& list) {
  const auto is_x = [&](const Variable& other) { return other.same_as(x); };
  return static_cast<std::size_t>(std::ranges::find_if(list, is_x) - list.begin());
}

// The operations that a function records, and a way to meet each of them alone. What one of them computes only the code
// that calls it knows: a node holds the rule, not the formula. But the function can be run again, and whatever it
// records can be replaced on the way. If all results are put back to the values they had, but for the inputs of an
// operation that are moved, what it computes depends on these and on nothing else.
//
// Values that can be moved have one numbering: first the inputs of the function, then the result of each operation on
// which its output depends. An operation is told by the number of its result.
class RecordedRun {
 public:
  // Throws a ValueError in the name of bisect where f cannot be judged: it computes in f32, say.
  RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names);

  std::size_t first_operation() const { return first_operation_; }
  std::size_t end() const { return values_.size(); }
  const Variable& value(std::size_t n) const { return values_[n]; }
  const graph::Node& node(std::size_t operation) const { return *values_[operation].node(); }
  bool can_be_moved(const Variable& x) const { return numbers_.contains(x.order()); }
  std::string origin(std::size_t n) const;  // "the result of operation 3, exp", "input 0 of the function", or its name

  // The values that an operation is a function of, in the order of its inputs. One that it uses twice, as in x·x, is
  // there once. A parameter that f holds, and is not given as an input, cannot be moved.
  std::vector<std::size_t> operands(std::size_t operation) const;

  // The operation as a function of the finite parts of its operands, recorded with its own rule. What is not finite in
  // them stays as it is; in the result it counts as 0.
  Function alone(std::size_t operation) const;
  std::vector<Variable> finite_operands(std::size_t operation) const;

  // What a rule returns for this gradient of the result, one for each operand; 0 where something is not finite.
  std::vector<Tensor> by_rule(std::size_t operation, const graph::Rule& rule, const Tensor& gradient) const;

  // Runs f with each value that moves moved by t·direction, but only as an input of other operations: what an operation
  // computes from its inputs is noted first.
  struct Rerun {
    std::vector<Tensor> computed;
    std::vector<Variable> recorded;  // with the inputs and the rule of that run
  };
  Rerun moved(double t, const Moves& moves) const;

  // Random elements in ±[½, 1½], times their own size if that is above 1. What is not finite does not move.
  const Tensor& direction(std::size_t n) const { return directions_[n]; }

  std::int64_t evaluation_count() const { return evaluations_; }  // how often f was run

 private:
  Rerun run_again(const std::vector<Tensor>& values) const;
  // The operation recorded once more, with another rule. What it makes of its operands is computed if f runs again.
  Variable again(std::size_t operation, const std::vector<Variable>& finite, const graph::Rule& rule, bool runs) const;

  const Function& f_;
  const std::vector<std::string>& names_;             // of the inputs
  std::vector<Variable> inputs_, recorded_, values_;  // recorded: all; values: what can be moved
  std::size_t first_operation_;
  std::vector<Tensor> old_, directions_;          // of the values
  std::map<std::uint64_t, std::size_t> numbers_;  // of the values, by order()
  mutable std::int64_t evaluations_ = 2;
};

}  // namespace regard::bisecting
