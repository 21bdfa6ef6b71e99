#pragma once

#include "autograd/variable.h"

#include <algorithm>
#include <initializer_list>

namespace regard {

// What a rule may look at: the inputs and the output of the operation it belongs to.
struct Saved {
  const graph::Inputs& inputs;
  const Variable& output;

  const Variable& input() const { return inputs.front(); }
  bool wants(std::size_t i) const { return inputs[i].requires_grad(); }  // else its gradient may stay undefined
};

// A rule is a pure function of (gradient, inputs, output). It is written with Variables and captures none, only
// constants such as an axis or an index: so it can itself be recorded, and derivatives of any order come free. It
// returns one gradient for each input:  return gradients(grad * saved.inputs[1], grad * saved.inputs[0]);
template <class... Each>
graph::Gradients gradients(Each&&... each) {
  graph::Gradients list;
  list.reserve(sizeof...(each));
  (list.emplace_back(std::forward<Each>(each)), ...);
  return list;
}

namespace graph {

// How a value was made. A node owns its inputs, never its output: the output owns the node.
struct Node {
  Node(const OpInfo& op, Inputs inputs, Rule rule);
  ~Node();
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  static void* operator new(std::size_t bytes) { return take_memory(bytes); }
  static void operator delete(void* memory) { give_memory(memory); }

  // book: node
  const OpInfo& op;
  Inputs inputs;
  Rule rule;
  std::uint64_t input_versions;       // how often the inputs had been assigned to when this was recorded
  bool freed = false;                 // a backward pass went through and let go of the inputs
  std::unique_ptr<std::string> site;  // in anomaly mode: where in the program this was recorded
  // book: /node
};

// The inputs of an operation, before anyone knows whether they will be kept: copying a Variable costs more than
// computing with a single number.
class InputRef {
 public:
  InputRef(const Variable& x) : x_(&x) {}  // NOLINT: implicit, so that {a, b} are inputs
  const Variable& operator*() const { return *x_; }

 private:
  const Variable* x_;
};
using InputRefs = std::initializer_list<InputRef>;

}  // namespace graph

template <class Refs>
bool must_record(const Refs& inputs) {
  return is_recording() && std::any_of(inputs.begin(), inputs.end(),
                                       [](const graph::InputRef& input) { return (*input).requires_grad(); });
}

Variable record_always(const OpInfo& op, graph::Inputs inputs, Tensor&& value, graph::Rule rule);
// anomaly.h
bool anomaly_mode();
void check_for_anomaly(const OpInfo& op, const graph::Inputs& inputs, const Tensor& value);
void check_rule_for_anomaly(const graph::Node& node, const Variable& output, const Variable& arrived,
                            const Variable& returned, std::size_t i);
void check_sum_for_anomaly(const Variable& x, const Variable& first, const Variable& second, const Variable& sum);
void check_start_for_anomaly(const char* function, const Variable& output, const Variable& given);
void check_hook_for_anomaly(const Variable& x, const Variable& arrived, const Variable& returned);

// Who stands between the operations of a thread and the record: it sees what is recorded, and may change a value on its
// way. Loose rounding (gradcheck/loose_rounding.h) does, and so does the search for a wrong rule
// (explain/bisect/recorded_run.h); a watch over a training and a profile only look. As a rule there is nobody.
//
// It stands there from its beginning to its end, both on the same thread. Of several, which may end in any order, the
// innermost is the one that began last: it changes a value first, and is told first.
class Interceptor {
 public:
  Interceptor();
  virtual ~Interceptor();
  Interceptor(const Interceptor&) = delete;
  Interceptor& operator=(const Interceptor&) = delete;

  virtual Tensor changed(const OpInfo&, const graph::Inputs&, const Tensor& value) { return value; }
  virtual void recorded(const Variable&) {}  // what was made of it, if it was recorded

  Interceptor* outer() const { return outer_; }  // the next one; null if there is none

 private:
  Interceptor* outer_;
};
inline constinit thread_local Interceptor* interceptor = nullptr;  // the innermost
Variable record_intercepted(const OpInfo& op, graph::Inputs inputs, const Tensor& value, graph::Rule rule);

template <class Refs, class R>
Variable record_inputs(const OpInfo& op, const Refs& inputs, Tensor&& value, R&& rule) {
  const auto copies = [&] {
    graph::Inputs list;
    list.reserve(inputs.size());
    for (const graph::InputRef input : inputs) list.push_back(*input);
    return list;
  };
  if (anomaly_mode()) check_for_anomaly(op, copies(), value);
  if (interceptor) return record_intercepted(op, copies(), value, std::forward<R>(rule));
  if (!must_record(inputs)) return Variable(std::move(value));
  return record_always(op, copies(), std::move(value), std::forward<R>(rule));
}

// book: record
// The one way to make a differentiable operation: its value, computed from the values of its inputs, and its rule.
// If no input requires a gradient, or inside NoGrad, only the value remains.
template <class R>
Variable record(const OpInfo& op, graph::InputRefs inputs, Tensor value, R&& rule) {
  return record_inputs(op, inputs, std::move(value), std::forward<R>(rule));
}
// book: /record

template <class Allocator, class R>
Variable record(const OpInfo& op, const std::vector<Variable, Allocator>& inputs, Tensor value, R&& rule) {
  return record_inputs(op, inputs, std::move(value), std::forward<R>(rule));
}

}  // namespace regard
