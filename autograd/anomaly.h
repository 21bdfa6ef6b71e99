#pragma once

#include "autograd/parameter_names.h"

#include <string>
#include <vector>

namespace regard {

// While an AnomalyMode lives, every operation on this thread is watched, forward and backward. The first one that makes
// a NaN or an infinity from numbers that are none throws a ValueError that tells the story: which element is bad, what
// stood in the inputs where it was made from, in which functions of the program and behind which parameters of a model
// this was recorded, and what usually helps. Slow: for finding a fault, not for training.
//
//   AnomalyMode watch(nn::named_parameters(model));      // or AnomalyMode watch; then no module is named
//
// So does a gradient that is given to backward() or grad(), and one that a hook returns.
//
// An infinity that came in is no fault, as the −∞ of a mask is none, nor one that pad or where put in place. A NaN that
// came in is told, and so is a parameter that is not finite.
class AnomalyMode {
 public:
  explicit AnomalyMode(const std::vector<NamedParameter>& parameters = {});
  ~AnomalyMode();
  AnomalyMode(const AnomalyMode&) = delete;
  AnomalyMode& operator=(const AnomalyMode&) = delete;

  const ParameterNames& names() const { return names_; }

 private:
  ParameterNames names_;
  const AnomalyMode* before_;
};
const AnomalyMode* current_anomaly_mode();  // the innermost one of this thread, or null

// Marks that a rule is running: its operations are not blamed one by one, since a rule may make a NaN and mask it. What
// it returns is judged as a whole, under the name of its operation.
class InsideRule {
 public:
  InsideRule();
  ~InsideRule();
  InsideRule(const InsideRule&) = delete;
  InsideRule& operator=(const InsideRule&) = delete;

 private:
  bool before_;
};
bool is_inside_rule();

// The functions on the stack that are not the library's own, innermost first: "loss ← train ← main".
std::string call_site();

}  // namespace regard
