#pragma once

#include "autograd/gradcheck/slopes.h"

namespace regard::gradchecks {

// One order: analytic against numeric gradient of L for every element of every f64 input. What it finds goes into the
// report.
void check_order(int order, const Weighted& l, const GradcheckOptions& options, GradcheckReport& report);

std::string name_of(std::size_t input, const GradcheckOptions& options);  // "input 0", or the name it was given

}  // namespace regard::gradchecks
