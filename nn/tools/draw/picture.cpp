#include "nn/tools/draw/picture.h"

#include "nn/tools/draw/body.h"
#include "nn/tools/draw/spread.h"
#include "tensor/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace regard {
namespace {

constexpr double margin = 14, row_gap = 26, title_height = 26, ports_to_first = 34, bend_width = 4, port_distance = 14;

// A box that is open: its inside, and where each item of it stands.
struct Open {
  Body body;
  std::vector<double> x, widths, heights, tops, bottoms;  // of items; the last two of rows
  std::vector<std::size_t> rows;                          // of items
  std::vector<double> begins, ends;                       // of lines, beside the middles of their items
  double width = 0, height = 0;
};

class LayOut {
 public:
  explicit LayOut(const Drawing& drawing) : drawing_(drawing), lines_(lines_by_box(drawing)) {}

  Picture lay() && {
    measure(0);
    put(0, 0, 0);
    picture_.width = open_.at(0).width;
    picture_.height = open_.at(0).height;
    return std::move(picture_);
  }

 private:
  bool is_open(std::size_t node) const {
    const DrawnNode& n = drawing_.nodes[node];
    return n.kind == DrawnNode::Kind::box && !n.children.empty() && (!n.folded || n.times > 1);
  }

  // Boxes are nested as deeply as the names of modules are.
  void measure(std::size_t box) {
    const DrawnNode& node = drawing_.nodes[box];
    Open& open = open_[box];
    open.body = body_of(drawing_, box, !node.folded || node.times == 1, lines_);
    const Layered& graph = open.body.graph;
    measure_items(open);

    open.rows.resize(graph.items());
    double y = box == 0 ? margin : title_height;
    for (std::size_t r = 0; r < graph.rows.size(); ++r) {
      double height = 0;
      for (const std::size_t item : graph.rows[r]) {
        height = std::max(height, open.heights[item]);
        open.rows[item] = r;
      }
      const bool only_ports = r == 0 && height == 0;  // on the border
      if (only_ports) y = 0;
      open.tops.push_back(y);
      open.bottoms.push_back(y + height);
      y += height + (only_ports ? ports_to_first : row_gap);
    }
    const bool has_outgoing = !open.body.items.empty() && open.body.items.back().kind == Body::Kind::leaves;
    open.height = y - row_gap + (has_outgoing ? 0 : margin);

    find_ends(open);
    const auto begins = [&](std::size_t line, std::size_t k) { return k > 0 ? 0 : open.begins[line]; };
    const auto ends = [&](std::size_t line, std::size_t k) {
      return k + 2 < graph.lines[line].size() ? 0 : open.ends[line];
    };
    open.x = place_items(graph, open.widths, begins, ends);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < graph.items(); ++i) {
      left = std::min(left, open.x[i] - open.widths[i] / 2);
      right = std::max(right, open.x[i] + open.widths[i] / 2);
    }
    open.width = std::max(right - left + 2 * margin, inscription_of(node).width);
    const double shift = (open.width - (right - left)) / 2 - left;
    for (double& x : open.x) x += shift;
  }

  void measure_items(Open& open) {
    const Layered& graph = open.body.graph;
    open.widths.assign(graph.items(), bend_width);
    open.heights.assign(graph.items(), 0);
    for (std::size_t i = 0; i < open.body.items.size(); ++i) {
      const auto [kind, node] = open.body.items[i];
      if (kind != Body::Kind::child) continue;
      if (is_open(node)) measure(node);
      const Inscription closed = inscription_of(drawing_.nodes[node]);
      open.widths[i] = is_open(node) ? open_.at(node).width : closed.width;
      open.heights[i] = is_open(node) ? open_.at(node).height : closed.height;
    }
    for (std::size_t i = 0; i < graph.lines.size(); ++i)
      if (const std::size_t first = graph.lines[i].front(); graph.is_mention(first)) {
        open.widths[first] = text_width(mentioned(open.body.lines[i].from), 11) + 12;
        open.heights[first] = 18;
      }
  }

  const std::string& mentioned(std::size_t node) const { return drawing_.nodes[node].name; }

  // Where lines begin on the lower border of an item, and end on the upper one, from its middle.
  void find_ends(Open& open) const {
    const Layered& graph = open.body.graph;
    std::vector<std::size_t> places(graph.items());  // in their rows
    for (const auto& row : graph.rows)
      for (std::size_t i = 0; i < row.size(); ++i) places[row[i]] = i;
    using Coming = std::pair<std::size_t, std::size_t>;  // from which place of the row above, and by which line
    std::vector<std::vector<Coming>> coming(open.body.items.size());
    for (std::size_t i = 0; i < graph.lines.size(); ++i) {
      const auto& line = graph.lines[i];
      coming[line.back()].push_back({places[line[line.size() - 2]], i});
      open.begins.push_back(port_of(open, line.front(), Body::Kind::leaves, i));
    }
    open.ends.resize(graph.lines.size());
    for (std::size_t item = 0; item < coming.size(); ++item) {
      std::sort(coming[item].begin(), coming[item].end());  // from left to right, so that they do not cross
      const auto [kind, node] = open.body.items[item];
      const bool has_ports = kind != Body::Kind::child || is_open(node);
      const double count = static_cast<double>(coming[item].size());
      double at = -(count - 1) / 2;
      for (const auto& [unused, line] : coming[item]) {
        const double distance = std::min(port_distance, (open.widths[item] - 16) / count);
        open.ends[line] = has_ports ? port_of(open, item, Body::Kind::enters, line) : at * distance;
        ++at;
      }
    }
  }
  // Where on the border of an open box a line comes in or leaves; all else has its place in the middle.
  double port_of(const Open& open, std::size_t item, Body::Kind kind, std::size_t line) const {
    if (item >= open.body.items.size() || open.body.items[item].kind != Body::Kind::child) return 0;
    return port(open.body.items[item].node, kind, open.body.lines[line].from);
  }
  double port(std::size_t box, Body::Kind kind, std::size_t from) const {
    const auto found = open_.find(box);
    if (found == open_.end()) return 0;
    const Open& open = found->second;
    for (std::size_t i = 0; i < open.body.items.size(); ++i)
      if (open.body.items[i].kind == kind && open.body.items[i].node == from) return open.x[i] - open.width / 2;
    return 0;
  }

  void put(std::size_t box, double x, double y) {
    const Open& open = open_.at(box);
    const Layered& graph = open.body.graph;
    if (box > 0) picture_.frames.push_back({box, x, y, open.width, open.height, true});
    for (std::size_t i = 0; i < open.body.items.size(); ++i) {
      if (open.body.items[i].kind != Body::Kind::child) continue;
      const std::size_t node = open.body.items[i].node;
      const double left = x + open.x[i] - open.widths[i] / 2, top = y + top_of(open, i);
      if (is_open(node))
        put(node, left, top);
      else
        picture_.frames.push_back({node, left, top, open.widths[i], open.heights[i], false});
    }
    for (std::size_t i = 0; i < graph.lines.size(); ++i) put_line(open, i, x, y);
  }

  // In the middle of its row; what crosses the border, at the border.
  static double top_of(const Open& open, std::size_t item) {
    const double top = open.tops[open.rows[item]], bottom = open.bottoms[open.rows[item]];
    return (top + bottom - open.heights[item]) / 2;
  }

  void put_line(const Open& open, std::size_t i, double x, double y) {
    const auto& items = open.body.graph.lines[i];
    Picture::Path path{open.body.lines[i].line, {}};
    for (std::size_t k = 0; k < items.size(); ++k) {
      const std::size_t item = items[k];
      Picture::Bend bend{x + open.x[item], y + open.tops[open.rows[item]], y + open.bottoms[open.rows[item]]};
      const bool crosses = item < open.body.items.size() && open.body.items[item].kind != Body::Kind::child;
      if (k == 0) {
        bend.x += open.begins[i];
        bend.top = crosses ? y : y + top_of(open, item) + open.heights[item];
        if (open.body.graph.is_mention(item))
          picture_.mentions.push_back(
              {open.body.lines[i].from, bend.x, y + top_of(open, item), open.widths[item], open.heights[item]});
      }
      if (k + 1 == items.size()) {
        bend.x += open.ends[i];
        bend.bottom = crosses ? y + open.height : y + top_of(open, item);
      }
      path.bends.push_back(bend);
    }
    picture_.paths.push_back(std::move(path));
  }

  const Drawing& drawing_;
  std::vector<std::vector<std::size_t>> lines_;
  std::map<std::size_t, Open> open_;
  Picture picture_;
};

}  // namespace

double text_width(std::string_view text, double size) { return 0.56 * size * static_cast<double>(letter_count(text)); }

Inscription inscription_of(const DrawnNode& node) {
  using Kind = DrawnNode::Kind;
  Inscription text{cut_short(node.name, 35), node.shape, cut_short(node.formula, 31), 0, 22};
  if (node.kind == Kind::constant && !text.name.empty()) text.shape.clear();
  if (node.times > 1) text.name += fmt::format(" × {}", node.times);
  const double space = text.name.empty() || text.shape.empty() ? 0 : 7;
  text.width = text_width(text.name, 13) + space + text_width(text.shape, 11);
  if (!text.formula.empty()) {
    text.width = std::max(text.width, text_width(text.formula, 11));
    text.height = 40;
  }
  const double around = node.kind == Kind::box ? 40 : 20;  // a box also has a mark that says whether it is folded
  text.width += around;
  return text;
}

Picture lay_out(const Drawing& drawing) { return LayOut(drawing).lay(); }

}  // namespace regard
