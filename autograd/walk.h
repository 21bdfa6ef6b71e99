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

// The Variables that have received a gradient and were not visited yet, latest first.
class Arrivals {
 public:
  void add(const Variable& variable, const Variable& gradient);
  bool empty() const { return waiting_.empty(); }
  Arrival take() { return std::move(waiting_.extract(waiting_.begin()).mapped()); }

 private:
  std::map<std::uint64_t, Arrival, std::greater<>> waiting_;
};

struct Walk {
  bool keep_graph;
  std::function<bool(const Variable&)> leads_on;  // only Variables for which it holds are gone to
  std::function<void(const Arrival&)> visit;      // sees each Variable with its complete gradient
};
void walk(Arrivals arrivals, const Walk& how);

// Frees what a node holds, its rule and its inputs.
void let_go(Node& node);

// What becomes of a gradient when the hooks on its Variable have seen it.
Arrival after_hooks(Arrival arrival);

// The gradient that a walk starts with at an output. Unless gradients are to be differentiated its own past is cut off.
Variable start(const char* function, const Variable& output, const Variable& given, bool create_graph);

// What must hold, or an error says what is wrong.
void check_before_rule(const Variable& result);
void check_after_rule(const Node& node, const Gradients& gradients);
void check_hook(const Variable& arrived, const Variable& returned);

}  // namespace regard::graph
