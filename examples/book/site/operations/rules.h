#pragma once

#include <string>
#include <vector>

#include "examples/book/site/operations/sources.h"

namespace regard::site {

// Where the rule of an operation stands: each function that records it, as in record(op("tanh"), …), or, if it is
// composed of others, the function of its name. The comment above is the derivation.
std::vector<Passage> rules_of(const std::vector<SourceFile>& autograd, const std::string& name);

// What the headers declare under a name: all overloads that stand together, with the comment above the first.
std::vector<Passage> declarations_of(const std::vector<SourceFile>& files, const std::string& name);

}  // namespace regard::site
