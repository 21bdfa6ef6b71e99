#include "nn/tools/draw/drawing.h"

namespace regard {

bool Drawing::is_inside(std::size_t node, std::size_t box) const {
  while (node != box && node != 0) node = nodes[node].box;
  return node == box;
}

std::size_t Drawing::child_towards(std::size_t box, std::size_t node) const {
  while (nodes[node].box != box) node = nodes[node].box;
  return node;
}

std::size_t Drawing::box_of(const DrawnLine& line) const {
  return is_inside(line.from, line.to) ? line.to : nodes[line.to].box;
}

}  // namespace regard
