#pragma once

#include <string>

namespace regard {

// While an AnomalyMode lives, every operation on this thread is watched, forward and backward. The first one that makes
// a NaN throws a ValueError that names it, its inputs and the functions of the program in which it was recorded. Slow:
// for finding a fault, not for training.
class AnomalyMode {
 public:
  AnomalyMode();
  ~AnomalyMode();
  AnomalyMode(const AnomalyMode&) = delete;
  AnomalyMode& operator=(const AnomalyMode&) = delete;

 private:
  bool before_;
};

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

// The functions on the stack that are not the library's own, innermost first: "loss ← train ← main".
std::string call_site();

}  // namespace regard
