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

bool Drawing::is_open(std::size_t node) const {
  return !nodes[node].children.empty() && (!nodes[node].folded || nodes[node].times > 1);
}

std::span<const std::size_t> Drawing::children_in_sight(std::size_t box) const {
  const std::span<const std::size_t> children = nodes[box].children;
  return shows_one_for_all(box) ? children.first(1) : children;
}

}  // namespace regard
