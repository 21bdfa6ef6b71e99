#pragma once

#include "nn/optim/groups.h"

namespace regard::optim {

// Moves parameters so that a loss falls:
//
//   optim::Adam optimizer(model, {.learning_rate = 1e-3});      // or parameters(model), or groups: see groups.h
//   optimizer.zero_grad();
//   loss.backward();
//   optimizer.step();
//
// An optimizer lists what it remembers, as a module does, so it is saved and loaded as one: training that goes on from
// there is, bit for bit, training that never stopped. The options are not part of that; they are in the program.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  void zero_grad();
  void step();                                   // parameters that have no gradient stay as they are
  std::int64_t steps() const { return steps_; }  // made so far

  double learning_rate() const { return learning_rate_; }
  void set_learning_rate(double rate);  // see schedule.h

  void visit(nn::Visitor& v) {
    v("steps", steps_);
    visit_state(v);
  }

 protected:
  Optimizer(const char* name, const ParameterGroups& groups, double learning_rate, double weight_decay);
  Optimizer(const Optimizer&) = default;
  Optimizer& operator=(const Optimizer&) = default;

  // η and λ of one parameter, after its group.
  struct Pace {
    double learning_rate, weight_decay;
  };
  // w ← w − …, for parameter i with gradient g.
  virtual void update(std::size_t i, Tensor& w, const Tensor& g, const Pace& pace) = 0;
  virtual void visit_state(nn::Visitor&) = 0;

  std::size_t count() const { return members_.size(); }
  std::vector<Tensor> zeros_like_parameters();                                       // for what it remembers of each
  void require_in(const char* option, double value, double low, double high) const;  // [low, high)
  void require_at_least_0(const char* option, double value) const;

 private:
  struct Member {
    Variable parameter;
    std::string label;  // as messages call it: "3", or "'encoder.weight'"
    DType dtype;        // when the optimizer was made
    double times_learning_rate, weight_decay;
  };
  void add(const NamedParameter& one, double times_learning_rate, double weight_decay);

  const char* name_;
  std::vector<Member> members_;
  double learning_rate_;
  std::int64_t steps_ = 0;
  bool remembers_ = false;  // numbers of the parameters, in their dtypes
};

}  // namespace regard::optim
