#pragma once

#include "autograd/variable.h"
#include "tensor/random/generator.h"

#include <concepts>
#include <optional>
#include <typeinfo>

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
  template <class T>
  void operator()(const std::string& name, std::optional<T>& child) {
    if (child) (*this)(name, *child);
  }
  template <class T>
  void operator()(const std::string& name, std::vector<T>& children) {
    for (std::size_t i = 0; i < children.size(); ++i) (*this)(name + "." + std::to_string(i), children[i]);
  }

  // Where in memory the visited module lies: tools that watch it compute know it by its address.
  void here(const void* module) { on_here(path_.empty() ? path_ : path_.substr(0, path_.size() - 1), module); }

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

// A member and its name, as a module lists it: {"optimizer", optimizer}.
struct NamedMember {
  std::function<void(Visitor&)> visit;

  template <class Member>
  requires(!std::same_as<Member, bool>)  // a bool is the mode of a module: it is never stored under a name
      NamedMember(const std::string& name, Member& member)
      : visit([name, &member](Visitor& v) { v(name, member); }) {}
  // Loading and converting change a member. What cannot be changed is refused, and the compiler shows this line.
  template <class Other>
  NamedMember(const std::string& name, const Other&) = delete;  // it is const, a bool, or gone after the call
};

// Whatever can be visited: a module, several members with names, or a function that visits. A function that takes
// Members is called with any of them:  eval(model);  save({{"model", model}, {"epoch", epoch}}, path);
class Members {
 public:
  template <Module M>
  Members(M& module) : visit_([&module](Visitor& v) { module.visit(v); }) {}  // NOLINT: implicit, as are all
  template <std::invocable<Visitor&> F>
  requires(!Module<F> && !std::same_as<F, Members>) Members(F visit) : visit_(std::move(visit)) {}  // NOLINT
  Members(std::initializer_list<NamedMember> all) : Members(std::vector(all)) {}                    // NOLINT
  Members(const std::vector<NamedMember>& all)                                                      // NOLINT
      : visit_([all](Visitor& v) {
          for (const NamedMember& one : all) one.visit(v);
        }) {}

  void operator()(Visitor& v) const { visit_(v); }

 private:
  std::function<void(Visitor&)> visit_;
};

// Replaces each parameter by what `by` makes of it. One that is listed twice stays one.
using NewParameter = std::function<Variable(const std::string& name, const Variable& parameter)>;
void replace_parameters(const Members& members, const NewParameter& by);

// A parameter that is used twice is listed under its first name only.
std::vector<NamedParameter> named_parameters(const Members& members);
std::vector<Variable> parameters(const Members& members);
std::int64_t parameter_count(const Members& members);  // how many numbers are trained

// Training switches dropout on, eval switches it off. A new module is in training.
void train(const Members& members);
void eval(const Members& members);

// Sets the method of every attention whose score has a fused form. Returns how many there are.
int set_method(const Members& members, Method method);

// Replaces every parameter by a new one with the same value. What was shared inside stays shared inside.
void renew_parameters(const Members& members);

// A copy with parameters of its own.
template <Module M>
M clone(const M& module) {
  M copy = module;
  renew_parameters(copy);
  return copy;
}

// Converts the parameters, and the buffers of floats, to f32 or f64. The parameters stay the same Variables, so copies
// of the module are converted too; their gradients are cleared. An optimizer that remembers numbers, as Adam does,
// keeps them in the old dtype and refuses its next step: make it after converting.
void convert(const Members& members, DType dtype);

}  // namespace regard::nn
