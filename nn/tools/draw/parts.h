#pragma once

#include "nn/tools/explain/modules.h"
#include "nn/tools/explain/trace.h"

#include <string>
#include <vector>

namespace regard {

constexpr std::size_t most_in_a_row = 120;  // of what lies side by side; more is put into boxes of so many

// A computation cut into parts, each a run of operations that were recorded one after the other: so values go only from
// earlier parts to later ones, and a picture of parts has no circles.
struct Part {
  std::string name;              // empty: that of its operation
  std::size_t first, last;       // its operations: from the first up to, and without, the last
  std::vector<Part> parts = {};  // none: a single operation
  bool is_module = false;
  std::size_t times = 1;  // so many parts, which are equal
};

// `operations` are the places of the operations in the trace, `modules` are those of its steps. A module that is called
// twice is two parts. Three equal modules in a row, or more, become one part, and so do four equal operations, or
// groups of operations, or more.
std::vector<Part> parts_of(const graph::Trace& steps, const std::vector<std::size_t>& operations,
                           const std::vector<ModulePath>& modules);

}  // namespace regard
