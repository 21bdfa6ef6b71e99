#pragma once

#include <string>
#include <vector>

namespace regard {

// What a trainer measures at the end, and what it must be to pass.
struct Measure {
  std::string name, requirement;
  double value;
  bool passed;
};

// A table of them, in no more than so many columns: where names are too long for one row, each has lines of its own
// above its numbers. 0: as wide as it takes.
std::string table_of(const std::vector<Measure>& measures, int columns);

}  // namespace regard
