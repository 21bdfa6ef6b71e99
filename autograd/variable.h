#pragma once

#include "autograd/op_list.h"
#include "autograd/recording.h"
#include "tensor/print.h"
#include "tensor/tensor.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace regard {

class Variable;
struct BackwardOptions;
struct Saved;

// What a recorded computation is made of; see record.h. The names are in a namespace because a program may well have a
// Node or a Rule of its own.
namespace graph {
struct Node;
using Gradients = std::vector<Variable>;
using Inputs = std::vector<Variable, RecyclingAllocator<Variable>>;
using Rule = std::function<Gradients(const Variable& grad, const Saved& saved)>;
Variable record(const OpInfo&, Inputs, Tensor&&, Rule, bool);
}  // namespace graph

// A value in a computation that is being recorded. A Variable is a handle: copies of it mean the same value. They share
//   Tensor value;
//   bool requires_grad;                 // is a gradient wanted?
//   std::unique_ptr<graph::Node> node;  // how it was made: operation, inputs and rule; null for a leaf
//   Variable gradient;                  // of a leaf, once there is one
// and its number, its version and its hooks: the whole struct is in state.h.
class Variable {
 public:
  Variable() = default;                // undefined; only assignment makes sense
  Variable(Tensor value);              // NOLINT: implicit: a tensor among Variables is a constant
  static Variable leaf(Tensor value);  // see parameter()

  bool defined() const { return state_ != nullptr; }

  // The compiler fills in `asking`, the name of the calling function. So an error about a missing value begins with the
  // operation that needed it: "tanh: its argument is an undefined Variable …".
  const Tensor& value(const char* asking = __builtin_FUNCTION()) const;
  const Shape& shape(const char* asking = __builtin_FUNCTION()) const { return value(asking).shape(); }
  DType dtype(const char* asking = __builtin_FUNCTION()) const { return value(asking).dtype(); }
  int rank(const char* asking = __builtin_FUNCTION()) const { return value(asking).rank(); }
  std::int64_t numel(const char* asking = __builtin_FUNCTION()) const { return value(asking).numel(); }
  std::int64_t size(int axis, const char* asking = __builtin_FUNCTION()) const { return value(asking).size(axis); }
  double item(const char* asking = __builtin_FUNCTION()) const { return value(asking).item(); }

  bool requires_grad() const;
  bool is_leaf() const { return node() == nullptr; }
  const graph::Node* node() const;  // how it was made; null for parameters, constants and what was not recorded
  std::uint64_t order() const;      // grows with every Variable made, so inputs have smaller numbers than results

  // ∂(output)/∂(this), summed over all backward() calls since the last clear_gradient(). Undefined before the first.
  // Only leaves keep one. Results of operations do not, to save memory; hooks and grad() see theirs.
  const Variable& gradient() const;
  void clear_gradient();

  // Walks from this output back to every leaf and adds to its gradient(). For a single number the walk starts with 1.
  void backward() const;
  void backward(const BackwardOptions& options) const;

  // Calls hook(gradient) when the gradient of this Variable is complete, before it is passed on. If the hook returns a
  // defined Variable, that replaces the gradient. Returns a number for remove_hook.
  using Hook = std::function<Variable(const Variable&)>;
  int on_gradient(Hook hook) const;
  void remove_hook(int number) const;

  bool same_as(const Variable& other) const { return state_ == other.state_; }

 private:
  friend Variable graph::record(const OpInfo&, graph::Inputs, Tensor&&, graph::Rule, bool);
  friend void assign(Variable& leaf, const Tensor& value);
  friend void update(Variable& leaf, const std::function<void(Tensor&)>& change);
  friend void set_gradient(Variable& leaf, const Tensor& gradient);
  friend void set_dtype(Variable& leaf, DType dtype);
  friend class StateAccess;
  struct State;
  std::shared_ptr<State> state_;
};

// Throws unless x is defined. The error names the operation or module, and the argument if that has a name.
void require_defined(const char* operation, const Variable& x, const char* argument = "");

// A leaf whose gradient is wanted.
Variable parameter(Tensor value);

// The same value with no past: gradients stop here.
Variable detach(const Variable& x);

// leaf ← value. A program changes a value only by this, update() and set_dtype(); optimizers use update(). A graph that
// was recorded with the old value notices, and refuses to run backward.
void assign(Variable& leaf, const Tensor& value);

// leaf ← change(leaf). Like assign, but the change may overwrite the elements if nobody else holds them, as adam_step
// does.
void update(Variable& leaf, const std::function<void(Tensor&)>& change);

// leaf ← to(leaf, dtype), f32 or f64. Its gradient is cleared. It stays the same leaf for whoever holds it, such as an
// optimizer.
void set_dtype(Variable& leaf, DType dtype);

// Replaces the gradient of a leaf, as clipping does.
void set_gradient(Variable& leaf, const Tensor& gradient);

// Threads may work on graphs of their own, and may share leaves: the sums in gradient() are guarded. While one thread
// calls assign, update, set_gradient or clear_gradient on a leaf, the others must leave it alone.

// How many recorded operations are alive in the whole program.
std::int64_t live_nodes();

}  // namespace regard

template <>
struct fmt::formatter<regard::Variable> : fmt::formatter<regard::Tensor> {
  fmt::format_context::iterator format(const regard::Variable& x, fmt::format_context& context) const;
};
