#include "nn/tools/draw/boxes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace regard {
namespace {

constexpr std::size_t most_in_a_row = 120;
constexpr std::size_t longest_group = 256;  // of operations that are repeated
constexpr std::size_t least_times = 3, least_times_of_operations = 4;

Boxes::Nodes some_of(const Boxes::Nodes& nodes, std::size_t begin, std::size_t count) {
  const auto first = nodes.begin() + static_cast<std::ptrdiff_t>(begin);
  return {first, first + static_cast<std::ptrdiff_t>(count)};
}

}  // namespace

Boxes::Boxes(Drawing& drawing, const graph::Trace& steps, const Nodes& operations,
             const std::vector<ModulePath>& modules)
    : drawing_(drawing), steps_(steps), operations_(operations), modules_(modules), node_of_(steps.size(), 0) {
  for (std::size_t i = 0; i < operations.size(); ++i) node_of_[operations[i]] = i + 1;
}

// Only boxes of modules tell their names in full.
bool Boxes::is_module(std::size_t node) const {
  return drawing_.nodes[node].kind == DrawnNode::Kind::box && !drawing_.nodes[node].told.empty();
}

std::size_t Boxes::add_box(const std::string& name, const Nodes& children) {
  const std::size_t number = drawing_.nodes.size();
  DrawnNode box{.kind = DrawnNode::Kind::box, .name = name, .children = children, .folded = true};
  box.first = drawing_.nodes[children.front()].first;
  for (const std::size_t child : children) {
    drawing_.nodes[child].box = number;
    box.operations += drawing_.nodes[child].operations;
  }
  if (box.operations > 0) {
    const DrawnNode& last = drawing_.nodes[box.first + box.operations - 1];
    box.shape = last.shape;
    box.formula = box.operations == 1 ? last.formula : fmt::format("{} operations", box.operations);
    if (name.empty()) box.name = last.name;
  }
  drawing_.nodes.push_back(std::move(box));
  return number;
}

Boxes::Nodes Boxes::by_module(std::size_t first, std::size_t last, std::size_t depth) {
  Nodes nodes;
  for (std::size_t end = first; first < last; first = end) {
    const ModulePath& path = path_of(first);
    end = first + 1;
    if (path.size() <= depth) {
      nodes.push_back(first);
      continue;
    }
    const auto same = [&](const ModulePath& other) { return other.size() > depth && other[depth] == path[depth]; };
    while (end < last && same(path_of(end))) ++end;
    const Nodes inside = by_module(first, end, depth + 1);
    if (inside.size() == 1 && is_module(inside[0])) {  // instead of a box in a box
      drawing_.nodes[inside[0]].name = path[depth] + "." + drawing_.nodes[inside[0]].name;
      nodes.push_back(inside[0]);
    } else {
      nodes.push_back(add_box(path[depth], inside));
      drawing_.nodes.back().told = name_of(ModulePath(path.begin(), path.begin() + static_cast<int>(depth) + 1));
    }
  }
  return in_few(with_repeats(nodes, depth), "parts");
}

Boxes::Nodes Boxes::in_few(const Nodes& nodes, const std::string& what) {
  if (nodes.size() <= most_in_a_row) return nodes;
  Nodes boxes;
  for (std::size_t i = 0; i < nodes.size(); i += most_in_a_row) {
    const std::size_t end = std::min(i + most_in_a_row, nodes.size());
    boxes.push_back(add_box(fmt::format("{} {} – {}", what, i + 1, end), some_of(nodes, i, end - i)));
  }
  return boxes;
}

// Equal numbers for equal runs of operations: the same ones on the same shapes, under the same names but for the
// numbers of the outermost list, connected in the same way.
std::size_t Boxes::likeness(const Nodes& nodes, std::size_t begin, std::size_t count, std::size_t depth) {
  const DrawnNode& last = drawing_.nodes[nodes[begin + count - 1]];
  const std::size_t first = drawing_.nodes[nodes[begin]].first;
  std::string text;
  for (std::size_t operation = first; operation < last.first + last.operations; ++operation) {
    const graph::Step& step = steps_[operations_[operation - 1]];
    const ModulePath& path = path_of(operation);
    for (std::size_t d = depth; d < path.size(); ++d)
      text += (d == depth && is_numbered(path[d]) ? path[d].substr(0, path[d].rfind('.')) : path[d]) + '.';
    text += fmt::format("{}{}", step.op()->name, step.result.shape());
    for (const std::size_t input : step.inputs) {
      if (node_of_[input] >= first)
        text += fmt::format(" {}", operation - node_of_[input]);
      else
        text += fmt::format(" {}", steps_[input].result.shape());
    }
    text += '\n';
  }
  return likenesses_.try_emplace(std::move(text), likenesses_.size()).first->second;
}

// The repetition that begins with this node and covers most; of a period that is as short as can be.
Boxes::Repeat Boxes::repeat_at(const Nodes& nodes, const Nodes& alike, std::size_t begin, std::size_t depth) {
  Repeat best;
  const std::size_t left = nodes.size() - begin;
  for (std::size_t period = 1; period <= longest_group && period * least_times <= left; ++period) {
    std::size_t same = 0;
    while (same + period < left && alike[begin + same] == alike[begin + same + period]) ++same;
    Repeat found{period, same / period + 1};
    const std::size_t least = period == 1 && is_module(nodes[begin]) ? least_times : least_times_of_operations;
    if (found.times < least || found.length() <= best.length()) continue;
    if (period > 1) {  // connected alike, too
      const auto group = [&](std::size_t t) { return likeness(nodes, begin + t * period, period, depth); };
      std::size_t times = 1;
      while (times < found.times && group(times) == group(0)) ++times;
      found.times = times;
    }
    if (found.times >= least && found.length() > best.length()) best = found;
  }
  return best;
}

Boxes::Nodes Boxes::with_repeats(const Nodes& nodes, std::size_t depth) {
  Nodes alike, result;
  for (std::size_t i = 0; i < nodes.size(); ++i) alike.push_back(likeness(nodes, i, 1, depth));
  for (std::size_t i = 0; i < nodes.size();) {
    const auto [period, times] = repeat_at(nodes, alike, i, depth);
    if (times < 2) {
      result.push_back(nodes[i++]);
      continue;
    }
    Nodes parts;
    for (std::size_t t = 1; t <= times; ++t, i += period) {
      // An operation gets a box of its own, too, in which lie the constants that only it uses.
      const bool is_part = period == 1 && drawing_.nodes[nodes[i]].kind == DrawnNode::Kind::box;
      const std::string name = period == 1 ? "" : std::to_string(t);
      parts.push_back(is_part ? nodes[i] : add_box(name, some_of(nodes, i, period)));
    }
    const DrawnNode& one = drawing_.nodes[parts.front()];
    const std::string name = is_module(parts.front()) ? one.name + " … " + drawing_.nodes[parts.back()].name
                             : one.operations > 1     ? fmt::format("{} operations", one.operations)
                                                      : "";
    result.push_back(add_box(name, parts));
    drawing_.nodes.back().times = times;
  }
  return result;
}

}  // namespace regard
