#pragma once

#include "autograd/gradcheck/gradcheck.h"

#include <string>
#include <vector>

namespace regard {

// A tensor as C++ that makes it again, to the last bit: "tensor({{1, 2}}, DType::f64)". What is not finite is written
// INFINITY, -INFINITY or NAN, which are in <cmath>.
std::string as_code(const Tensor& x);

// A gradient check as C++: "gradcheck(f, {parameter(tensor({{1, 2}}, DType::f64))}, {.order = 1})". Of the options
// those are written that differ from the usual and change the verdict.
std::string as_code(const std::vector<Variable>& inputs, const GradcheckOptions& options);

}  // namespace regard
