#pragma once

#include <string>
#include <vector>

#include "examples/book/site/operations/sources.h"

namespace regard::site {

struct Use {
  std::string file;
  int line;  // of the first call in this file
};

// Files in which a function is called by a name, with the first call of each. Members and functions of other namespaces
// (x.sum(), std::exp()) do not count, nor does a file that declares this name for itself, or whose header does.
std::vector<Use> uses_of(const std::vector<SourceFile>& files, const std::string& name);

}  // namespace regard::site
