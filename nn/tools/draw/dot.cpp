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

class Dot {
 public:
  explicit Dot(const Drawing& drawing) : drawing_(drawing), looks_(looks_of(drawing)) {}

  std::string write() && {
    text_ =
        "digraph {\n  compound=true;\n  node [shape=box, style=\"rounded,filled\", fillcolor=white, "
        "fontname=Helvetica];\n";
    children(0, "  ");
    // Of a line in pieces, the last tells where it ends; those that end in the same node in sight are one.
    std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> lines;
    for (std::size_t i = 0; i < drawing_.lines.size(); ++i) {
      const auto& [from, to, gradient] = drawing_.lines[i];
      if (drawing_.is_inside(from, to)) continue;
      const std::size_t b = in_sight(to), parts = hidden_among(from);
      if (b == hidden || is_open(b) || (parts > 0 && drawing_.is_inside(to, parts))) continue;
      const std::size_t seen = in_sight(parts > 0 ? parts : from);
      const bool at_border = is_open(seen);  // of parts, as what makes the value is hidden among them
      const std::size_t a = at_border ? last_in_sight(seen) : seen;
      if (a == b) continue;
      const std::tuple line(a, b, at_border ? parts : 0);
      if (to == b || lines.find(line) == lines.end()) lines[line] = i;
    }
    for (const auto& [ends, line] : lines) {
      const auto& [width, look, told] = looks_[line];
      const auto& [a, b, parts] = ends;
      text_ += fmt::format("  n{} -> n{} [penwidth={:.1f}, tooltip={}{}{}];\n", a, b, width, quoted(told),
                           parts > 0 ? fmt::format(", ltail=cluster_{}", parts) : "",
                           look == "broken" ? ", color=red"
                           : look == "none" ? ", style=dashed"
                                            : "");
    }
    return text_ + "}\n";
  }

 private:
  static constexpr std::size_t hidden = static_cast<std::size_t>(-1);

  bool is_open(std::size_t node) const {
    const DrawnNode& n = drawing_.nodes[node];
    return n.kind == DrawnNode::Kind::box && !n.children.empty() && (!n.folded || n.times > 1);
  }
  // The outermost box of equal parts in which this node is hidden, as the first part stands for all; or 0.
  std::size_t hidden_among(std::size_t node) const {
    std::size_t parts = 0;
    for (; node != 0; node = drawing_.nodes[node].box) {
      const DrawnNode& around = drawing_.nodes[drawing_.nodes[node].box];
      if (around.times > 1 && around.folded && around.children[0] != node) parts = drawing_.nodes[node].box;
    }
    return parts;
  }
  // The node that is seen where this one is.
  std::size_t in_sight(std::size_t node) const {
    if (hidden_among(node) > 0) return hidden;
    std::size_t seen = node;
    for (std::size_t box = node; box != 0; box = drawing_.nodes[box].box)
      if (!is_open(box)) seen = box;
    return seen;
  }
  // A line of a hidden part that leaves the box begins at its border: for Graphviz, at a node inside that is cut there.
  std::size_t last_in_sight(std::size_t box) const {
    while (is_open(box)) {
      const DrawnNode& node = drawing_.nodes[box];
      box = node.times > 1 && node.folded ? node.children[0] : node.children.back();
    }
    return box;
  }

  void children(std::size_t box, const std::string& indent) {
    const DrawnNode& around = drawing_.nodes[box];
    const std::size_t count = around.times > 1 && around.folded ? 1 : around.children.size();
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t child = around.children[i];
      const DrawnNode& node = drawing_.nodes[child];
      const std::string name = node.times > 1 ? fmt::format("{} × {}", node.name, node.times) : node.name;
      if (is_open(child)) {
        text_ += fmt::format("{}subgraph cluster_{} {{\n{}  label={};\n", indent, child, indent, quoted(name));
        children(child, indent + "  ");
        text_ += indent + "}\n";
      } else {
        const std::string label = name + " " + node.shape + (node.formula.empty() ? "" : "\n" + node.formula);
        text_ += fmt::format("{}n{} [label={}, tooltip={}, class={}];\n", indent, child, quoted(label),
                             quoted(node.told), look_of(node.kind));
      }
    }
  }

  const Drawing& drawing_;
  std::vector<LineLook> looks_;
  std::string text_;
};

}  // namespace

std::string to_dot(const Drawing& drawing) { return Dot(drawing).write(); }

}  // namespace regard
