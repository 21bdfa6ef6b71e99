#pragma once

#include "autograd/gradcheck/gradcheck.h"

#include <string>
#include <vector>

namespace regard {

struct Shrunk {
  std::vector<Variable> inputs;  // the smallest and simplest that were found to fail
  GradcheckReport report;        // of the check of these
  std::string code;              // this check as C++: "gradcheck(f, {parameter(tensor({{1, 2}}, DType::f64))})"
  int tried = 0;                 // how many inputs were checked on the way
};

// Makes the inputs of a failing check smaller, as long as it fails in the same way: at the same order, and with numbers
// that are finite if they were.
//
// Shapes first. An axis is halved, or one index of it is dropped. Axes of the same size may belong together, such as
// the inner ones of a product. So all of one size are cut at once; if that does not fail, also those whose size is a
// multiple of it, each block in the same way (the gates of an LSTM are four blocks); if that does not, each axis alone.
// Where f throws, the shapes no longer fit, and the next cut is tried.
//
// Then values, all at once and one by one: 0, 1, a whole number, one digit after the point, two.
Shrunk shrink(const gradchecks::Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options = {});

std::string to_string(const Shrunk& shrunk);

// A tensor as C++ that makes it again, to the last bit: "tensor({{1, 2}}, DType::f64)". What is not finite is written
// INFINITY, -INFINITY or NAN, which are in <cmath>.
std::string as_code(const Tensor& x);

// A gradient check as C++: "gradcheck(f, {parameter(tensor({{1, 2}}, DType::f64))}, {.order = 1})". Of the options
// those are written that differ from the usual and change the verdict.
std::string as_code(const std::vector<Variable>& inputs, const GradcheckOptions& options);

}  // namespace regard
