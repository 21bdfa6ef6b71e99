#pragma once

#include "autograd/variable.h"

#include <initializer_list>

namespace regard {

// What a rule may look at: the inputs and the output of the operation it belongs to.
struct Saved {
  const std::vector<Variable>& inputs;
  const Variable& output;

  const Variable& input() const { return inputs.front(); }
  bool wants(std::size_t i) const { return inputs[i].requires_grad(); }  // else its gradient may be left undefined
};

// A rule is a pure function of (gradient, inputs, output). It is written with Variables, and captures nothing but plain
// attributes such as an axis: so it can itself be recorded, and derivatives of any order come free. It returns one
// gradient for each input:  return gradients(grad * saved.inputs[1], grad * saved.inputs[0]);
template <class... Each>
Gradients gradients(Each&&... each) {
  return {Variable(std::forward<Each>(each))...};
}

// How a value was made. A node owns its inputs, never its output: the output owns the node.
struct Node {
  Node(const OpInfo& op, std::vector<Variable> inputs, Rule rule);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  static void* operator new(std::size_t bytes) { return take_memory(bytes); }
  static void operator delete(void* memory) { give_memory(memory); }

  const OpInfo& op;
  std::vector<Variable> inputs;
  Rule rule;
  std::uint64_t input_versions;       // how often the inputs had been assigned to when this was recorded
  bool freed = false;                 // a backward pass went through and let go of the inputs
  std::unique_ptr<std::string> site;  // in anomaly mode: where in the program this was recorded
};

bool must_record(const Variable* begin, const Variable* end);
Variable record_always(const OpInfo& op, std::vector<Variable> inputs, Tensor&& value, Rule rule);
void check_for_anomaly(const OpInfo& op, const Variable* begin, const Variable* end, const Tensor& value);
bool anomaly_mode();

// The one way to make a differentiable operation: its value, computed from the values of its inputs, and its rule.
// If no input requires a gradient, or inside NoGrad, only the value remains.
template <class Inputs, class R>
Variable record_inputs(const OpInfo& op, const Inputs& inputs, Tensor&& value, R&& rule) {
  const Variable *begin = std::data(inputs), *end = begin + std::size(inputs);
  if (anomaly_mode()) check_for_anomaly(op, begin, end, value);
  if (!must_record(begin, end)) return Variable(std::move(value));
  return record_always(op, {begin, end}, std::move(value), std::forward<R>(rule));
}

template <class R>
Variable record(const OpInfo& op, std::initializer_list<Variable> inputs, Tensor value, R&& rule) {
  return record_inputs(op, inputs, std::move(value), std::forward<R>(rule));
}

template <class R>
Variable record(const OpInfo& op, const std::vector<Variable>& inputs, Tensor value, R&& rule) {
  return record_inputs(op, inputs, std::move(value), std::forward<R>(rule));
}

}  // namespace regard
