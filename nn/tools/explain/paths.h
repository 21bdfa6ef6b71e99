#pragma once

#include "nn/tools/explain/trace.h"

#include <vector>

namespace regard::graph {

// A way through the recorded graph from the output back to one Variable: an edge for each operation on it.
struct Edge {
  std::size_t result = 0;  // the index of the operation's result in the trace
  std::size_t input = 0;   // which of its inputs the way goes on to
};
struct Path {
  std::vector<Edge> edges;  // from the output on
  double contribution = 0;  // to the derivative of the output
};

// How many paths lead from each step to the Variable. They multiply: each of twelve residual blocks, say, is passed
// through or by, which is 2¹².
std::vector<double> count_paths(const Trace& steps, std::size_t index);

struct Paths {
  std::vector<Path> largest;  // by the size of their contributions, NaN before all others
  double count = 0;
  // Else the search followed, at each fork, the largest sums of all paths that go on there: there are more than 500
  // paths, or more than 10,000 operations would have to be gone through to compare them.
  bool compared_all = false;
};

// The paths from the output to an element with the largest contributions. The contribution of a path is what arrives at
// the element if each operation passes its gradient on along the path and nowhere else; over all paths they add up to
// the derivative. `tangents` are those of this element.
Paths largest_paths(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents, std::size_t how_many);

}  // namespace regard::graph
