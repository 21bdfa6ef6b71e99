#pragma once

#include "autograd/record.h"

#include <functional>
#include <map>

namespace regard::graph {

// What backward() and grad() have in common; used by nobody else.

struct Arrival {
  Variable variable;
  Variable gradient;  // the sum of what has arrived so far
};

// The Variables that have a gradient and have not been visited, latest first.
class Arrivals {
 public:
  void add(const Variable& x, const Variable& gradient);
  bool empty() const { return waiting_.empty(); }
  Arrival take() { return std::move(waiting_.extract(waiting_.begin()).mapped()); }

 private:
  std::map<std::uint64_t, Arrival, std::greater<>> waiting_;
};

struct Walk {
  bool keep_graph;
  std::function<bool(const Variable&)> goes_to;  // does the walk go to this input? Only if it requires a gradient
  std::function<void(const Variable& x, const Variable& gradient)> visit;  // the gradient is complete

  bool goes_on_from(const Variable& x) const;  // on from x to its inputs
};
void walk(Arrivals arrivals, const Walk& how);

// The gradient with which a walk starts at an output: `given`, or 1. It is detached unless create_graph.
Variable start(const char* function, const Variable& output, const Variable& given, bool create_graph);

// The sum of gradients that arrive at x from several of its uses.
Variable sum_at(const Variable& x, const Variable& first, const Variable& second);

// The gradient after the hooks on its Variable: the same, or what they returned instead.
Arrival after_hooks(Arrival arrival);

// Throw unless the graph, or what a rule returned, is as it must be.
void check_before_rule(const Variable& result);
void check_after_rule(const Variable& result, const Gradients& gradients);

// Tells observers of the gradients that a rule made from `arrived`.
void tell_of_rule(const Variable& result, const Variable& arrived, const Gradients& gradients);

// Frees what the node of x holds, its rule and its inputs.
void let_go(const Variable& x);

}  // namespace regard::graph
