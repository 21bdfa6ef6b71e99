#pragma once

#include "tests/reference/record.h"

#include <map>

namespace regard::reference {

using Functions = std::map<std::string, gradchecks::Function>;

// Our side of the extra cases, under the ids of extra.py.
const Functions& larger_cases();
const Functions& point_cases();
const Functions& pointwise_functions();  // those of one argument, by the name of the operation

// Everything that is compared at random inputs: the table of cases, and the larger ones.
struct Subject {
  const Record* record;
  gradchecks::Function f;
};
std::vector<Subject> subjects();

}  // namespace regard::reference
