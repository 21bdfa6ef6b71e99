#pragma once

#include "autograd/observe.h"
#include "autograd/rule.h"

#include <algorithm>
#include <initializer_list>

namespace regard {
namespace graph {

// How a value was made. A node owns its inputs, never its output: the output owns the node.
struct Node {
  Node(const OpInfo& op, Inputs inputs, Rule rule);
  ~Node();
  static void* operator new(std::size_t bytes) { return take_memory(bytes); }  // recycled, as nodes come and go
  static void operator delete(void* memory) { give_memory(memory); }

  // book: node
  const OpInfo& op;
  Inputs inputs;
  Rule rule;
  // book: /node
  std::uint64_t input_versions;  // how often the inputs had been assigned to when this was recorded
  bool freed = false;            // a backward pass went through and let go of the inputs
};

std::string as_called(const Node& node);  // 'exp'; in words where no program calls the operation by that name

// The inputs as they are given to record(): copies are made only if they are kept.
struct InputRef {
  InputRef(const Variable& x) : input(x) {}  // NOLINT: implicit, so that {a, b} are inputs
  operator const Variable&() const { return input; }
  const Variable& input;
};
using InputRefs = std::initializer_list<InputRef>;

// If it is not wanted, nothing is recorded; observers still see the value.
Variable record(const OpInfo& op, Inputs inputs, Tensor&& value, Rule rule, bool wanted);

}  // namespace graph

template <class List>
bool must_record(const List& inputs) {
  return is_recording() &&
         std::any_of(inputs.begin(), inputs.end(), [](const Variable& input) { return input.requires_grad(); });
}

// book: record
// The one way to make a differentiable operation: its value, computed from the values of its inputs, and its rule.
// If no input requires a gradient, or inside NoGrad, only the value remains.
template <class List = graph::InputRefs, class R>  // {a, b} has no type to deduce: it becomes InputRefs
Variable record(const OpInfo& op, const List& inputs, Tensor value, R&& rule) {
  const bool wanted = must_record(inputs);
  if (!wanted && !newest_observer) return Variable(std::move(value));
  return graph::record(op, graph::Inputs(inputs.begin(), inputs.end()), std::move(value), std::forward<R>(rule),
                       wanted);
}
// book: /record

}  // namespace regard
