#include "nn/tools/draw/dot.h"

#include "nn/tools/draw/looks.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <vector>

namespace regard {
namespace {

std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += c == '\n' ? "\\n" : std::string(1, c);
  }
  return result + '"';
}

std::string text_of(const Drawing& drawing, std::size_t box) {
  std::string text;
  for (const std::size_t child : drawing.children_in_sight(box)) {
    const DrawnNode& node = drawing.nodes[child];
    const std::string name = node.times > 1 ? fmt::format("{} × {}", node.name, node.times) : node.name;
    const std::string label = name + " " + node.shape + (node.formula.empty() ? "" : "\n" + node.formula);
    if (drawing.is_open(child))
      text +=
          fmt::format("  subgraph cluster_{} {{\n  label={};\n{}  }}\n", child, quoted(name), text_of(drawing, child));
    else
      text += fmt::format("  n{} [label={}, tooltip={}, class={}];\n", child, quoted(label), quoted(node.told),
                          look_of(node.kind));
  }
  return text;
}

// Where a node is seen: as itself or a box around it; or, hidden among equal parts, at the border of the box of them
// all. For Graphviz that is a node inside whose line is cut at the border.
struct Seen {
  std::size_t node;
  std::size_t hidden_in = 0;
};

Seen seen(const Drawing& drawing, std::size_t node) {
  for (std::size_t box = 0; box != node;) {
    const std::size_t child = drawing.child_towards(box, node);
    if (drawing.shows_one_for_all(box) && child != drawing.nodes[box].children[0]) {
      std::size_t last = box;
      while (drawing.is_open(last)) last = drawing.children_in_sight(last).back();
      return {last, box};
    }
    if (!drawing.is_open(child)) return {child};
    box = child;
  }
  return {node};
}

}  // namespace

std::string to_dot(const Drawing& drawing) {
  std::string text =
      "digraph {\n  compound=true;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
      "fontname=Helvetica];\n" +
      text_of(drawing, 0);
  // Of a line in pieces, the last tells where it ends; those that end in the same node in sight are one.
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> lines;
  for (std::size_t i = 0; i < drawing.lines.size(); ++i) {
    const DrawnLine& line = drawing.lines[i];
    const Seen from = seen(drawing, line.from), to = seen(drawing, line.to);
    if (drawing.is_inside(line.from, line.to) || drawing.is_open(to.node) || to.hidden_in > 0) continue;
    if (from.node == to.node) continue;
    const std::tuple ends(from.node, to.node, from.hidden_in);
    if (line.to == to.node || !lines.contains(ends)) lines[ends] = i;
  }
  const std::vector<LineLook> looks = looks_of(drawing);
  for (const auto& [ends, line] : lines) {
    const auto& [width, look, told] = looks[line];
    const auto& [from, to, hidden_in] = ends;
    text += fmt::format("  n{} -> n{} [penwidth={:.1f}, tooltip={}{}{}];\n", from, to, width, quoted(told),
                        hidden_in > 0 ? fmt::format(", ltail=cluster_{}", hidden_in) : "",
                        look == "broken" ? ", color=red"
                        : look == "none" ? ", style=dashed"
                                         : "");
  }
  return text + "}\n";
}

}  // namespace regard
