#pragma once

#include "nn/tools/explain/trace.h"

namespace regard {

// How many operations lie on the shortest way through the recorded graph from y back to x; −1 if there is no way. A
// gradient walks this way, and each operation may make it smaller.
std::int64_t path_length(const Variable& y, const Variable& x);

namespace graph {

// A way through the recorded graph from the output back to one Variable: an edge for each operation on it.
struct Edge {
  std::size_t result = 0;  // the index of the operation's result in the trace
  std::size_t input = 0;   // which of its inputs the way goes on to
};
struct Path {
  std::vector<Edge> edges;  // from the output on
  double contribution = 0;  // to the derivative of the output
};

struct Paths {
  std::vector<Path> largest;  // by the size of their contributions, NaN before all others
  double count = 0;
  // Else the search left beginnings of paths behind, those whose sum of all paths is smallest: large contributions of
  // different signs may hide in one.
  bool compared_all = false;
};

// The paths from the output to an element with the largest contributions. The contribution of a path is what arrives at
// the element if each operation passes its gradient on along the path and nowhere else; over all paths they add up to
// the derivative. `tangents` are those of this element.
Paths largest_paths(const Trace& steps, std::size_t index, const std::vector<Tensor>& tangents, std::size_t how_many);

}  // namespace graph
}  // namespace regard
