#include "nn/tools/draw/picture.h"

#include "nn/tools/draw/layered.h"
#include "tensor/error.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

namespace regard {
namespace {

constexpr double margin = 14, row_gap = 26, ports_to_first = 34, bend_width = 4, port_distance = 14;

// What stands in the rows of a box: its children; where values come in through its upper border, and leave through the
// lower one; and, as in graph.rows, bends and mentions.
enum class Kind { child, enters, leaves, bend };

struct Item {
  Kind kind;
  std::size_t node;  // the child, or what makes the value
  double width = bend_width, height = 0;
  double x = 0;  // of its middle
  std::size_t row = 0;
};

// A box that is open, and what is inside.
struct Open {
  std::vector<Item> items;
  std::map<std::pair<Kind, std::size_t>, std::size_t> indexes;  // of those that are no bends
  Layered graph;
  std::vector<std::size_t> lines,
      makers;                         // of each line in the graph: which it is in the drawing, and `from` of a path
  std::vector<double> begins, ends;   // beside the middles of its first and its last item
  std::vector<double> tops, bottoms;  // of rows
  double width = 0, height = 0;

  void add(Kind kind, std::size_t node) {
    if (indexes.try_emplace({kind, node}, items.size()).second) items.push_back({kind, node});
  }
  double top_of(const Item& item) const { return (tops[item.row] + bottoms[item.row] - item.height) / 2; }
};

double text_width(std::string_view text, double size) { return 0.56 * size * static_cast<double>(letter_count(text)); }

class LayOut {
 public:
  explicit LayOut(const Drawing& drawing) : drawing_(drawing), lines_(drawing.nodes.size()) {
    for (std::size_t i = 0; i < drawing.lines.size(); ++i) lines_[drawing.box_of(drawing.lines[i])].push_back(i);
  }

  Picture lay() && {
    measure(0);
    put(0, 0, 0);
    picture_.width = open_.at(0).width;
    picture_.height = open_.at(0).height;
    return std::move(picture_);
  }

 private:
  // Boxes are nested as deeply as the names of modules are.
  void measure(std::size_t box) {
    Open& open = open_[box];
    wire(open, box);
    measure_items(open);
    set_rows(open, box);
    find_ends(open);
    std::vector<double> widths;
    for (const Item& item : open.items) widths.push_back(item.width);
    const std::vector<double> x = middles_of(open.graph, widths, open.begins, open.ends);
    double left = 0, right = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      left = std::min(left, x[i] - widths[i] / 2);
      right = std::max(right, x[i] + widths[i] / 2);
    }
    open.width = std::max(right - left + 2 * margin, inscription_of(drawing_.nodes[box]).width);
    const double shift = (open.width - (right - left)) / 2 - left;
    for (std::size_t i = 0; i < x.size(); ++i) open.items[i].x = x[i] + shift;
  }

  void wire(Open& open, std::size_t box) {
    const auto is_leaving = [&](const DrawnLine& line) { return line.to == box; };
    for (const std::size_t i : lines_[box])
      if (const DrawnLine& line = drawing_.lines[i]; !drawing_.is_inside(line.from, box))
        open.add(Kind::enters, line.from);
    const std::size_t top = open.items.size();
    for (const std::size_t child : drawing_.children_in_sight(box)) open.add(Kind::child, child);
    const std::size_t bottom = open.items.size();
    for (const std::size_t i : lines_[box])
      if (const DrawnLine& line = drawing_.lines[i]; is_leaving(line)) open.add(Kind::leaves, line.from);

    LayeredLines ends;
    for (const std::size_t i : lines_[box]) {
      const DrawnLine& line = drawing_.lines[i];
      const std::size_t from = is_leaving(line) ? seen_in(box, line.from) : line.from;
      const auto begin =
          open.indexes.find(drawing_.is_inside(from, box) ? std::pair(Kind::child, drawing_.child_towards(box, from))
                                                          : std::pair(Kind::enters, from));
      const auto end =
          open.indexes.find(is_leaving(line) ? std::pair(Kind::leaves, line.from) : std::pair(Kind::child, line.to));
      if (begin == open.indexes.end() || end == open.indexes.end()) continue;  // of a part that is not in sight
      open.lines.push_back(i);
      open.makers.push_back(from);
      ends.push_back({begin->second, end->second});
    }
    open.graph = layered(open.items.size(), ends, top, bottom);
  }
  // The operation that is in the first of equal parts what `from` is in its own, if the first stands for all.
  std::size_t seen_in(std::size_t box, std::size_t from) const {
    if (!drawing_.shows_one_for_all(box)) return from;
    const auto first_in = [&](std::size_t part) { return drawing_.nodes[part].first; };
    return from - first_in(drawing_.child_towards(box, from)) + first_in(drawing_.nodes[box].children[0]);
  }

  void measure_items(Open& open) {
    for (Item& item : open.items) {
      if (item.kind != Kind::child) continue;
      if (drawing_.is_open(item.node)) {
        measure(item.node);
        item.width = open_.at(item.node).width;
        item.height = open_.at(item.node).height;
      } else {
        const Inscription closed = inscription_of(drawing_.nodes[item.node]);
        item.width = closed.width;
        item.height = closed.height;
      }
    }
    open.items.resize(open.graph.items, {Kind::bend, 0});
    for (std::size_t i = 0; i < open.graph.lines.size(); ++i)
      if (const std::size_t first = open.graph.lines[i].front(); first >= open.graph.given) {
        const std::string& name = drawing_.nodes[open.makers[i]].name;
        open.items[first] = {Kind::bend, open.makers[i], text_width(name, 11) + 12, 18};
      }
  }

  static void set_rows(Open& open, std::size_t box) {
    double y = box == 0 ? margin : title_height;
    for (std::size_t r = 0; r < open.graph.rows.size(); ++r) {
      double height = 0;
      for (const std::size_t i : open.graph.rows[r]) {
        open.items[i].row = r;
        height = std::max(height, open.items[i].height);
      }
      const bool only_ports = r == 0 && height == 0;  // on the border
      if (only_ports) y = 0;
      open.tops.push_back(y);
      open.bottoms.push_back(y + height);
      y += height + (only_ports ? ports_to_first : row_gap);
    }
    const bool has_outgoing = !open.bottoms.empty() && open.tops.back() == open.bottoms.back();
    open.height = y - row_gap + (has_outgoing ? 0 : margin);
  }

  // Where lines begin on the lower border of an item, and end on the upper one, from its middle.
  void find_ends(Open& open) const {
    std::vector<std::size_t> positions(open.items.size());  // in their rows
    for (const auto& row : open.graph.rows)
      for (std::size_t i = 0; i < row.size(); ++i) positions[row[i]] = i;
    using Coming = std::pair<std::size_t, std::size_t>;  // from which position of the row above, and by which line
    std::vector<std::vector<Coming>> coming(open.items.size());
    for (std::size_t i = 0; i < open.graph.lines.size(); ++i) {
      const auto& line = open.graph.lines[i];
      coming[line.back()].push_back({positions[line[line.size() - 2]], i});
      open.begins.push_back(port(open.items[line.front()], Kind::leaves, open.makers[i]));
    }
    open.ends.resize(open.graph.lines.size());
    for (std::size_t i = 0; i < coming.size(); ++i) {
      const Item& item = open.items[i];
      std::sort(coming[i].begin(), coming[i].end());  // from left to right, so that they do not cross
      const bool has_ports = item.kind != Kind::child || drawing_.is_open(item.node);
      const double count = static_cast<double>(coming[i].size());
      const double distance = std::min(port_distance, (item.width - 16) / count);
      double at = -(count - 1) / 2;
      for (const auto& [unused, line] : coming[i]) {
        open.ends[line] = has_ports ? port(item, Kind::enters, open.makers[line]) : at * distance;
        ++at;
      }
    }
  }
  // Where on the border of an open box a value comes in or leaves; all else does so in the middle.
  double port(const Item& item, Kind kind, std::size_t from) const {
    const auto box = item.kind == Kind::child ? open_.find(item.node) : open_.end();
    if (box == open_.end()) return 0;
    const auto& [node, open] = *box;
    const auto found = open.indexes.find({kind, from});
    return found == open.indexes.end() ? 0 : open.items[found->second].x - open.width / 2;
  }

  void put(std::size_t box, double x, double y) {
    const Open& open = open_.at(box);
    if (box > 0) picture_.frames.push_back({box, x, y, open.width, open.height, true});
    for (const Item& item : open.items) {
      const double left = x + item.x - item.width / 2, top = y + open.top_of(item);
      if (item.kind == Kind::child && drawing_.is_open(item.node))
        put(item.node, left, top);
      else if (item.kind == Kind::child)
        picture_.frames.push_back({item.node, left, top, item.width, item.height, false});
      else if (item.height > 0)
        picture_.mentions.push_back({item.node, left, top, item.width, item.height, false});
    }
    for (std::size_t i = 0; i < open.graph.lines.size(); ++i) put_line(open, i, x, y);
  }

  void put_line(const Open& open, std::size_t i, double x, double y) {
    Picture::Path path{open.lines[i], open.makers[i], {}};
    for (const std::size_t number : open.graph.lines[i]) {
      const Item& item = open.items[number];
      path.bends.push_back({x + item.x, y + open.tops[item.row], y + open.bottoms[item.row]});
    }
    const Item &first = open.items[open.graph.lines[i].front()], &last = open.items[open.graph.lines[i].back()];
    Picture::Bend &begin = path.bends.front(), &end = path.bends.back();
    begin.x += open.begins[i];
    begin.top = y + (first.kind == Kind::enters ? 0 : open.top_of(first) + first.height);
    end.x += open.ends[i];
    end.bottom = y + (last.kind == Kind::leaves ? open.height : open.top_of(last));
    picture_.paths.push_back(std::move(path));
  }

  const Drawing& drawing_;
  std::vector<std::vector<std::size_t>> lines_;  // in each box
  std::map<std::size_t, Open> open_;
  Picture picture_;
};

}  // namespace

Inscription inscription_of(const DrawnNode& node) {
  const bool is_box = node.kind == DrawnNode::Kind::box;
  Inscription text{cut_short(node.name, 35), node.shape, cut_short(node.formula, 31), 0, 22};
  if (node.kind == DrawnNode::Kind::constant && !text.name.empty()) text.shape.clear();
  if (node.times > 1) text.name += fmt::format(" × {}", node.times);
  const double space = text.name.empty() || text.shape.empty() ? 0 : 7;
  text.width = text_width(text.name, 13) + space + text_width(text.shape, 11);
  if (!text.formula.empty()) {
    text.width = std::max(text.width, text_width(text.formula, 11));
    text.height = 40;
  }
  text.width += is_box ? 40 : 20;  // a box also has a mark that says whether it is folded
  return text;
}

Picture lay_out(const Drawing& drawing) { return LayOut(drawing).lay(); }

}  // namespace regard
