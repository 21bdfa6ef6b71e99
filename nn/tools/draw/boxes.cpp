#include "nn/tools/draw/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace regard {

Boxes::Nodes Boxes::by_module(std::size_t first, std::size_t last, std::size_t depth) {
  Nodes nodes;
  for (std::size_t end = first; first < last; first = end) {
    const ModulePath& path = modules_[first - 1];
    end = first + 1;
    if (path.size() <= depth) {
      nodes.push_back(first);
      continue;
    }
    const auto is_same = [&](const ModulePath& other) { return other.size() > depth && other[depth] == path[depth]; };
    while (end < last && is_same(modules_[end - 1])) ++end;
    const ModulePath module(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(depth) + 1);
    nodes.push_back(box_of_module(module, by_module(first, end, depth + 1)));
  }
  return in_few(std::move(nodes), "parts");
}

// Only boxes of modules tell anything: their names in full.
std::size_t Boxes::box_of_module(const ModulePath& path, const Nodes& inside) {
  DrawnNode& first = drawing_.nodes[inside[0]];
  if (inside.size() == 1 && first.kind == DrawnNode::Kind::box && !first.told.empty()) {  // instead of a box in a box
    first.name = path.back() + "." + first.name;
    return inside[0];
  }
  const std::size_t box = add_box(path.back(), inside);
  drawing_.nodes[box].told = name_of(path);
  return box;
}

std::size_t Boxes::add_box(const std::string& name, const Nodes& children) {
  const std::size_t number = drawing_.nodes.size();
  DrawnNode box{.kind = DrawnNode::Kind::box, .name = name, .children = children};
  for (const std::size_t child : children) {
    DrawnNode& one = drawing_.nodes[child];
    one.box = number;
    box.operations += one.operations;
    if (one.operations > 0) box.shape = one.shape, box.formula = one.formula;
  }
  if (box.operations > 1) box.formula = fmt::format("{} operations", box.operations);
  drawing_.nodes.push_back(std::move(box));
  return number;
}

Boxes::Nodes Boxes::in_few(Nodes nodes, const std::string& what) {
  constexpr std::size_t most = 120;
  while (nodes.size() > most) {
    Nodes boxes;
    for (std::size_t i = 0; i < nodes.size(); i += most) {
      const std::size_t end = std::min(i + most, nodes.size());
      const auto at = [&](std::size_t n) { return nodes.begin() + static_cast<std::ptrdiff_t>(n); };
      boxes.push_back(add_box(fmt::format("{} {} – {}", what, i + 1, end), Nodes(at(i), at(end))));
    }
    nodes = std::move(boxes);
  }
  return nodes;
}

}  // namespace regard
