#pragma once

#include "nn/tools/cost/cost.h"

namespace regard {

// What the machine can do at most, measured: by a product of large matrices, and by an addition of tensors that do not
// fit into its caches.
struct MachineLimits {
  double flops = 0;  // multiplications and additions a second
  double bytes = 0;  // to and from memory, a second
};
MachineLimits machine_limits(DType dtype = DType::f32);

struct Profile : Costs {
  double not_recorded = 0;  // seconds of operations that have no gradient, such as those of a mask
  MachineLimits limits = {};
};

// Runs f, which records a loss, and goes back through what it recorded, and measures each operation: the time since the
// operation before it, so work between operations is counted as well. Of five such rounds the median counts, for each
// operation by itself. The names are those of the model, for the costs of its modules.
Profile profile(const std::function<Variable()>& f, const std::vector<NamedParameter>& names = {});

// Whether products or memory take longer by theory, with these limits: "arithmetic" or "memory".
std::string bound_by(const Cost& cost, const MachineLimits& limits);

std::string to_text(const Profile& profile);
std::string to_html(const Profile& profile);

}  // namespace regard
