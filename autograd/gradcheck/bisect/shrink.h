#pragma once

#include "autograd/gradcheck/gradcheck.h"

namespace regard {

struct Shrunk {
  std::vector<Variable> inputs;  // the smallest and simplest that were found to fail
  GradcheckReport report;        // of the check of these
  // This check as C++: "gradcheck(f, {parameter(tensor({{1, 2}}, DType::f64))})". Of the options it has the order
  // alone: what fails only with another layout, seed, step or tolerance may pass until they are added.
  std::string code;
  int tried = 0;  // how many inputs were checked on the way
};

// Makes the inputs of a failing check smaller, as long as it fails in the same way: at the same order, and with numbers
// that are finite if they were.
//
// Shapes first. An axis is halved, or one index of it is dropped. Axes of the same size may belong together, such as
// the inner ones of a product. So all of one size are cut at once, and if that does not fail, each alone. Where f
// throws, the shapes no longer fit, and the next cut is tried. Then values become 0, 1 or whole, one by one.
Shrunk shrink(const gradchecks::Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options = {});

std::string to_string(const Shrunk& shrunk);

// A tensor of finite numbers as C++ that makes it again, to the last bit: "tensor({{1, 2}}, DType::f64)".
std::string as_code(const Tensor& x);

}  // namespace regard
