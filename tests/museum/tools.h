#pragma once

#include "autograd/gradcheck/gradcheck.h"
#include "tests/museum/exhibit.h"

#include <vector>

namespace regard::museum {

// The tools, in the form in which exhibits use them.

// Caught where the verdict is not PASS.
Finding by_gradcheck(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                     const GradcheckOptions& options = {});

// Caught where the rule of some operation is wrong. It is named, with what is wrong about it.
Finding by_bisect(const gradchecks::Function& f, const std::vector<Variable>& inputs);

// Caught where it throws an Error; its message is what is shown.
Finding by_error(const std::string& tool, const std::function<void()>& run);

// A law that is no equation: whether it holds, and what was seen.
Finding by_law(const std::string& law, bool holds, const std::string& seen);

// Two results that a law says to be equal, to 1e-9 unless another tolerance is given: "padding on the right changes
// nothing". The largest difference is shown.
Finding by_law(const std::string& law, const Tensor& result, const Tensor& expected, double tolerance = 1e-9);

// Caught where AnomalyMode finds the first NaN or infinity. In which functions that was recorded is not shown.
Finding by_anomaly(const std::function<void()>& run);

// One step of gradient descent. Returns the loss before it.
double descend(const Variable& loss, std::vector<Variable> parameters, double rate);

// Losses of so many steps of gradient descent, or of any optimiser that `step` is.
std::vector<double> losses(int steps, const std::function<double()>& step);

// Losses of so many steps of Adam.
std::vector<double> train(int steps, double rate, const std::vector<Variable>& parameters,
                          const std::function<Variable()>& loss);

}  // namespace regard::museum
