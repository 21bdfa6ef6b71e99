#pragma once

#include "autograd/variable.h"
#include "tensor/random/generator.h"

#include <concepts>
#include <optional>
#include <string>
#include <typeinfo>
#include <vector>

namespace regard {

// A parameter and its name, such as "encoder.layers.0.w_q.weight". The part before the last dot names the module that
// holds it.
struct NamedParameter {
  std::string name;
  Variable parameter;
};

}  // namespace regard

namespace regard::nn {

class Visitor;
enum class Method;  // how attention is computed: nn/attention/skeleton.h

// A module is a plain struct that holds its parameters and children as members and lists them once:
//
//   struct Gate {
//     Variable scale;
//     Linear inner;
//     void visit(Visitor& v) { v("scale", scale); v("inner", inner); }
//   };
//
// Parameters, their names, train and eval, saving, loading, cloning and the printed summary all come from that list.
// Modules are values, but a Variable is a handle: a copy of a module shares its parameters. clone() makes new ones.
template <class M>
concept Module = requires(M& module, Visitor& visitor) {
  module.visit(visitor);
};

// Goes through the members a module lists, and says what to do with each kind of member; names are paths such as
// "encoder.layers.0.w_q.weight".
class Visitor {
 public:
  virtual ~Visitor() = default;

  void operator()(const std::string& name, Variable& parameter) {
    if (parameter.defined()) on_parameter(path_ + name, parameter);  // an optional one, such as a bias, may be missing
  }
  void operator()(const std::string& name, Tensor& buffer) {
    if (buffer.defined()) on_buffer(path_ + name, buffer);
  }
  void operator()(const std::string& name, Generator& generator) { on_generator(path_ + name, generator); }
  void operator()(const std::string& name, std::int64_t& counter) { on_counter(path_ + name, counter); }
  void operator()(const std::string&, bool& training) { on_mode(training); }
  void operator()(const std::string&, Method& method) { on_method(method); }

  template <Module M>
  void operator()(const std::string& name, M& child) {
    const std::size_t length = path_.size();
    path_ += name + ".";
    if constexpr (requires { child.held_type(); })
      enter(name, child.held_type());
    else
      enter(name, typeid(M));
    child.visit(*this);
    leave();
    path_.resize(length);
  }
  // Where in memory the visited module lies: tools that watch it compute know it by its address.
  void here(const void* module) { on_here(path_.empty() ? path_ : path_.substr(0, path_.size() - 1), module); }

  template <class T>
  void operator()(const std::string& name, std::optional<T>& child) {
    if (child) (*this)(name, *child);
  }
  template <class T>
  void operator()(const std::string& name, std::vector<T>& children) {
    for (std::size_t i = 0; i < children.size(); ++i) (*this)(name + "." + std::to_string(i), children[i]);
  }

 protected:
  virtual void on_parameter(const std::string& /*path*/, Variable& /*parameter*/) {}
  virtual void on_buffer(const std::string& /*path*/, Tensor& /*buffer*/) {}           // saved, but not trained
  virtual void on_generator(const std::string& /*path*/, Generator& /*generator*/) {}  // of dropout
  virtual void on_counter(const std::string& /*path*/, std::int64_t& /*counter*/) {}   // steps taken, epochs
  virtual void on_mode(bool& /*training*/) {}
  virtual void on_method(Method& /*method*/) {}  // of attention that has a choice
  virtual void enter(const std::string& /*name*/, const std::type_info& /*type*/) {}
  virtual void on_here(const std::string& /*path*/, const void* /*module*/) {}
  virtual void leave() {}

 private:
  std::string path_;
};

// Replaces each parameter by what `by` makes of it. One that is used twice is again one.
using NewParameter = std::function<Variable(const std::string& name, const Variable& parameter)>;
void replace_parameters(const std::function<void(Visitor&)>& visit, const NewParameter& by);

// What a visit collects. A parameter that is used twice is listed under its first name only.
std::vector<NamedParameter> listed_parameters(const std::function<void(Visitor&)>& visit);
void set_mode(const std::function<void(Visitor&)>& visit, bool training);
void renew_parameters(const std::function<void(Visitor&)>& visit);
void convert_members(const std::function<void(Visitor&)>& visit, DType dtype);

template <Module M>
std::function<void(Visitor&)> visit_of(M& module) {
  return [&module](Visitor& visitor) { module.visit(visitor); };
}

template <Module M>
std::vector<NamedParameter> named_parameters(M& module) {
  return listed_parameters(visit_of(module));
}

template <Module M>
std::vector<Variable> parameters(M& module) {
  std::vector<Variable> list;
  for (auto& [name, parameter] : named_parameters(module)) list.push_back(parameter);
  return list;
}

// How many numbers are trained.
template <Module M>
std::int64_t parameter_count(M& module) {
  std::int64_t count = 0;
  for (const Variable& parameter : parameters(module)) count += parameter.numel();
  return count;
}

template <Module M>
void zero_grad(M& module) {
  for (Variable& parameter : parameters(module)) parameter.clear_gradient();
}

// Training switches dropout on, eval switches it off. A new module is in training.
template <Module M>
void train(M& module) {
  set_mode(visit_of(module), true);
}
template <Module M>
void eval(M& module) {
  set_mode(visit_of(module), false);
}

// Sets how all attention in it is computed, except for scores without a fused form. Returns how many have one.
int set_method(const std::function<void(Visitor&)>& visit, Method method);
template <Module M>
int set_method(M& module, Method method) {
  return set_method(visit_of(module), method);
}

// A copy with parameters of its own, which start with the same values. What was shared inside is shared inside the
// copy.
template <Module M>
M clone(const M& module) {
  M copy = module;
  renew_parameters(visit_of(copy));
  return copy;
}

// Converts the module's parameters, and its buffers of floats, to f32 or f64. The parameters stay the same Variables,
// so copies of the module are converted too; their gradients are cleared. An optimizer that was made before keeps its
// moments in the old dtype, and refuses its next step: make it afterwards.
template <Module M>
void convert(M& module, DType dtype) {
  convert_members(visit_of(module), dtype);
}

}  // namespace regard::nn
