#pragma once

#include <string>
#include <vector>

namespace regard::book {

// A picture of a chapter that is an SVG, pictures/NAME.svg: a recorded graph.
struct GraphPicture {
  std::string name, svg;
};
std::vector<GraphPicture> graph_pictures();

}  // namespace regard::book
