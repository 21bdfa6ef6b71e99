#pragma once

#include "nn/tools/anomaly/site.h"

namespace regard::anomaly {

// What is known of a first NaN or infinity.
struct Finding {
  std::string_view op;
  bool backward;                      // its rule made it
  std::vector<Extremes> inputs = {};  // of the elements that it was made from
  bool bad_parameter = false;         // a parameter that was read is NaN or infinite
};

// What usually helps: one or two sentences from a table, whose last rows fit everything.
std::string_view advice(const Finding& finding);

}  // namespace regard::anomaly
