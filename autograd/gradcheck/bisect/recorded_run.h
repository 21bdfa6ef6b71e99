#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "autograd/record.h"
#include "tensor/ops/arithmetic.h"

#include <map>

namespace regard::bisecting {

using gradchecks::Function;
using Moves = std::function<bool(std::size_t place)>;

// Scores that are masked are −∞. Such a number cannot be moved, and ∞ − ∞ is NaN, so no slope is measured there. The
// numbers beside it can be judged all the same.
inline Tensor is_finite(const Tensor& x) { return equal(x - x, 0); }  // 1 where x is a number, else 0
inline Tensor finite_part(const Tensor& x) { return where(is_finite(x), x, 0); }

// How fast tensors move with t at t = 0: the slopes over steps of h and h/2, put together so that the bend cancels.
std::vector<Tensor> speeds(const std::function<std::vector<Tensor>(double t)>& at);

// An input of the function, as if it were the result of an operation, or the result of one.
struct Value {
  Variable x;
  std::size_t number = 0;   // of the operation, from 1; 0 for an input, and where the output does not depend on it
  std::string origin = {};  // "the result of operation 3, exp", "input 0 of the function", or its name
  Tensor direction = {};    // random, in ±[½, 1½], times |x| if that is above 1; 0 where x is not finite

  // The values that it is computed from, in the order of inputs. One that is used twice, as in x·x, is there once. A
  // parameter that the function holds, and is not given as an input, cannot be moved.
  struct Operand {
    std::size_t value, input;  // its place among the values, and among the inputs of the operation
  };
  std::vector<Operand> operands = {};

  const graph::Node& node() const { return *x.node(); }
};

struct Rerun {
  std::vector<Tensor> computed;
  std::vector<Variable> recorded;  // with the inputs and the rule of that run
};

// The operations that a function records, and a way to meet each of them alone. What one of them computes only the code
// that calls it knows: a node holds the rule, not the formula. But the function can be run again, and whatever it
// records can be replaced on the way. If all results are put back to the values they had, but for the inputs of an
// operation that are moved, what it computes depends on these and on nothing else.
class RecordedRun {
 public:
  // Throws a ValueError in the name of bisect where f cannot be judged: it computes in f32, say.
  RecordedRun(const Function& f, const std::vector<Variable>& inputs, const std::vector<std::string>& names);

  std::size_t size() const { return values_.size(); }
  const Value& operator[](std::size_t place) const { return values_[place]; }  // in the order of recording
  bool can_be_moved(const Variable& x) const { return places_.contains(x.order()); }
  std::int64_t evaluation_count() const { return evaluations_; }  // how often f was run

  // An operation as a function of the finite parts of its operands, recorded with its own rule. What is not finite in
  // them stays as it is; in the result it counts as 0.
  std::vector<Variable> operands(std::size_t operation) const;  // leaves
  Variable alone(std::size_t operation, const std::vector<Variable>& operands) const;

  // What a rule returns for this gradient of the result, one for each operand; 0 where something is not finite.
  std::vector<Variable> by_rule(std::size_t operation, const graph::Rule& rule, const Tensor& gradient) const;

  // Runs f with each value that moves moved by t·direction, but only as an input of other operations: what an operation
  // computes from its inputs is noted first.
  Rerun moved(double t, const Moves& moves) const;

 private:
  Variable run() const;
  Rerun run_with(const std::function<Tensor(std::size_t place)>& moved) const;
  Variable again(std::size_t operation, const std::vector<Variable>& operands, const Tensor& computed,
                 const graph::Rule& rule) const;

  const Function& f_;
  const std::vector<Variable>& inputs_;
  std::vector<Value> values_;
  std::map<std::uint64_t, std::size_t> places_;  // of the values that can be moved, by order()
  mutable std::int64_t evaluations_ = 0;
};

}  // namespace regard::bisecting
