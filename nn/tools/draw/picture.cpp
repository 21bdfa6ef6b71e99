#include "nn/tools/draw/picture.h"

#include "nn/tools/draw/layered.h"

#include <algorithm>
#include <limits>
#include <map>

namespace regard {
namespace {

constexpr double margin = 14, row_gap = 26, ports_to_first = 34, bend_width = 4;

// What stands in the rows of a box: its children; where values come in through its upper border, and leave through the
// lower one; and bends of lines.
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
  std::vector<Item> items = {};
  std::map<std::pair<Kind, std::size_t>, std::size_t> indexes = {};  // of those that are no bends
  Layered graph = {};
  std::vector<double> begins = {}, ends = {};   // of lines, beside the middles of their first and last items
  std::vector<double> tops = {}, bottoms = {};  // of rows
  double width = 0, height = 0;

  void add(Kind kind, std::size_t node) {
    if (indexes.try_emplace({kind, node}, items.size()).second) items.push_back({kind, node});
  }
  double top_of(const Item& item) const { return (tops[item.row] + bottoms[item.row] - item.height) / 2; }
};

double text_width(const std::string& text, double size) {
  return 0.56 * size * static_cast<double>(letter_count(text));
}

// Of a node that is closed: its name and shape, and below them its formula.
double width_of(const DrawnNode& node) {
  const double space = node.name.empty() || node.shape.empty() ? 0 : 7;
  const double words = text_width(node.name, 13) + space + text_width(node.shape, 11);
  const double mark = node.kind == DrawnNode::Kind::box ? 20 : 0;
  return std::max(words, text_width(node.formula, 11)) + 20 + mark;
}

class LayOut {
 public:
  explicit LayOut(const Drawing& drawing) : drawing_(drawing) {}

  Picture lay(std::size_t box, std::size_t most) && {
    open_boxes(box, most);
    measure(box, true);
    put(box, 0, 0);
    picture_.width = open_.at(box).width;
    picture_.height = open_.at(box).height;
    return std::move(picture_);
  }

 private:
  // A box around a single operation says all that is inside, and stays closed.
  void open_boxes(std::size_t outermost, std::size_t most) {
    std::size_t in_sight = drawing_.nodes[outermost].children.size();
    std::vector<std::size_t> boxes{outermost};
    open_.try_emplace(outermost);
    for (std::size_t i = 0; i < boxes.size(); ++i)
      for (const std::size_t child : drawing_.nodes[boxes[i]].children) {
        const DrawnNode& node = drawing_.nodes[child];
        if (node.children.empty() || node.operations == 1 || in_sight + node.children.size() > most) continue;
        in_sight += node.children.size();
        open_.try_emplace(child);
        boxes.push_back(child);
      }
  }

  // Boxes are nested as deeply as the names of modules are.
  void measure(std::size_t box, bool is_outermost) {
    Open& open = open_.at(box);
    wire(open, box);
    for (Item& item : open.items) measure_item(item, is_outermost);
    open.items.resize(open.graph.items, {Kind::bend, 0});
    set_rows(open, is_outermost);
    for (std::size_t i = 0; i < open.graph.lines.size(); ++i) {
      const auto& line = open.graph.lines[i];
      const std::size_t maker = drawing_.lines[drawing_.nodes[box].lines[i]].from;
      open.begins.push_back(port(open.items[line.front()], Kind::leaves, maker));
      open.ends.push_back(port(open.items[line.back()], Kind::enters, maker));
    }
    std::vector<double> widths;
    for (const Item& item : open.items) widths.push_back(item.width);
    const std::vector<double> x = middles_of(open.graph, widths, open.begins, open.ends);
    double left = std::numeric_limits<double>::max(), right = -left;
    for (std::size_t i = 0; i < x.size(); ++i) {
      left = std::min(left, x[i] - widths[i] / 2);
      right = std::max(right, x[i] + widths[i] / 2);
    }
    open.width = std::max(right - left + 2 * margin, is_outermost ? 0 : width_of(drawing_.nodes[box]));
    const double shift = (open.width - (right - left)) / 2 - left;
    for (std::size_t i = 0; i < x.size(); ++i) open.items[i].x = x[i] + shift;
  }

  void measure_item(Item& item, bool is_outermost) {
    const DrawnNode& node = drawing_.nodes[item.node];
    if (item.kind == Kind::child && open_.contains(item.node)) {
      measure(item.node, false);
      item.width = open_.at(item.node).width;
      item.height = open_.at(item.node).height;
    } else if (item.kind == Kind::child) {
      item.width = width_of(node);
      item.height = node.formula.empty() ? 22 : 40;
    } else if (item.kind == Kind::enters && is_outermost) {  // nothing around it says where the value comes from
      item.width = text_width(node.label(), 11) + 12;
      item.height = 18;
    }
  }

  // Which line leads from where to where.
  void wire(Open& open, std::size_t box) {
    const DrawnNode& node = drawing_.nodes[box];
    const auto comes_in = [&](const DrawnLine& line) { return !drawing_.is_inside(line.from, box); };
    for (const std::size_t i : node.lines)
      if (comes_in(drawing_.lines[i])) open.add(Kind::enters, drawing_.lines[i].from);
    const std::size_t top = open.items.size();
    for (const std::size_t child : node.children) open.add(Kind::child, child);
    const std::size_t bottom = open.items.size();
    for (const std::size_t i : node.lines)
      if (drawing_.lines[i].to == box) open.add(Kind::leaves, drawing_.lines[i].from);

    std::vector<LayeredLine> ends;
    for (const std::size_t i : node.lines) {
      const DrawnLine& line = drawing_.lines[i];
      std::size_t child = line.from;
      while (!comes_in(line) && drawing_.nodes[child].box != box) child = drawing_.nodes[child].box;
      ends.push_back(
          {open.indexes.at({comes_in(line) ? Kind::enters : Kind::child, child}),
           open.indexes.at(line.to == box ? std::pair(Kind::leaves, line.from) : std::pair(Kind::child, line.to)),
           line.from});
    }
    open.graph = layered(open.items.size(), ends, top, bottom);
  }

  static void set_rows(Open& open, bool is_outermost) {
    double y = is_outermost ? margin : title_height;
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

  // Where on the border of an open box a value comes in or leaves, from the middle; all else does so in the middle.
  double port(const Item& item, Kind kind, std::size_t maker) const {
    const auto box = item.kind == Kind::child ? open_.find(item.node) : open_.end();
    if (box == open_.end()) return 0;
    const Open& open = box->second;
    return open.items[open.indexes.at({kind, maker})].x - open.width / 2;
  }

  void put(std::size_t box, double x, double y) {
    const Open& open = open_.at(box);
    for (const Item& item : open.items) {
      const bool is_open = item.kind == Kind::child && open_.contains(item.node);
      const Picture::Frame frame{item.node, x + item.x - item.width / 2, y + open.top_of(item), item.width, item.height,
                                 is_open};
      if (item.kind == Kind::child) picture_.frames.push_back(frame);
      if (item.kind == Kind::enters && item.height > 0) picture_.sources.push_back(frame);
      if (is_open) put(item.node, frame.x, frame.y);
    }
    for (std::size_t i = 0; i < open.graph.lines.size(); ++i) {
      Picture::Path path{drawing_.nodes[box].lines[i], {}};
      for (const std::size_t number : open.graph.lines[i]) {
        const Item& item = open.items[number];
        path.bends.push_back({x + item.x, y + open.tops[item.row], y + open.bottoms[item.row]});
      }
      const Item &first = open.items[open.graph.lines[i].front()], &last = open.items[open.graph.lines[i].back()];
      Picture::Bend &begin = path.bends.front(), &end = path.bends.back();
      begin.x += open.begins[i];
      begin.top = y + open.top_of(first) + first.height;
      end.x += open.ends[i];
      end.bottom = y + open.top_of(last);
      picture_.paths.push_back(std::move(path));
    }
  }

  const Drawing& drawing_;
  std::map<std::size_t, Open> open_;
  Picture picture_;
};

}  // namespace

Picture lay_out(const Drawing& drawing, std::size_t box, std::size_t most) { return LayOut(drawing).lay(box, most); }

}  // namespace regard
