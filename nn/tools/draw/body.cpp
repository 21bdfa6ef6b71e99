#include "nn/tools/draw/body.h"

#include <algorithm>
#include <map>
#include <utility>

namespace regard {
namespace {

class Wiring {
 public:
  Wiring(const Drawing& drawing, std::size_t box, bool all, const std::vector<std::vector<std::size_t>>& lines)
      : drawing_(drawing), box_(box), all_(all), lines_(lines) {}

  Body wire() && {
    const DrawnNode& box = drawing_.nodes[box_];
    for (const std::size_t line : lines_[box_]) add_ends(line);
    const std::size_t top = incoming_.size();
    for (const std::size_t node : incoming_) add_item({Body::Kind::enters, node});
    for (std::size_t i = 0; i < (all_ ? box.children.size() : 1); ++i) add_item({Body::Kind::child, box.children[i]});
    const std::size_t bottom = body_.items.size();
    for (const std::size_t node : outgoing_) add_item({Body::Kind::leaves, node});

    LayeredLines ends;
    for (const std::size_t line : lines_[box_]) add_line(line, ends);
    body_.graph = layered(body_.items.size(), ends, top, bottom);
    return std::move(body_);
  }

 private:
  bool is_leaving(const DrawnLine& line) const { return line.to == box_; }

  static void add_once(std::vector<std::size_t>& list, std::size_t node) {
    if (std::find(list.begin(), list.end(), node) == list.end()) list.push_back(node);
  }
  void add_ends(std::size_t i) {
    const DrawnLine& line = drawing_.lines[i];
    if (!drawing_.is_inside(line.from, box_)) add_once(incoming_, line.from);
    if (is_leaving(line)) add_once(outgoing_, line.from);
  }
  void add_item(Body::Item item) {
    places_[{item.kind, item.node}] = body_.items.size();
    body_.items.push_back(item);
  }

  void add_line(std::size_t i, LayeredLines& ends) {
    const DrawnLine& line = drawing_.lines[i];
    std::size_t from = line.from;
    const bool leaves = is_leaving(line), enters = !drawing_.is_inside(from, box_);
    if (leaves && !all_) from = same_in_first(from);
    const auto begin = places_.find(enters ? std::pair(Body::Kind::enters, from)
                                           : std::pair(Body::Kind::child, drawing_.child_towards(box_, from)));
    const auto end =
        places_.find(leaves ? std::pair(Body::Kind::leaves, line.from) : std::pair(Body::Kind::child, line.to));
    if (begin == places_.end() || end == places_.end() || begin == end) return;  // of a part that is not in sight
    body_.lines.push_back({i, from});
    ends.push_back({begin->second, end->second});
  }

  // The values that leave a child.
  std::vector<std::size_t> leaving(std::size_t child) const {
    std::vector<std::size_t> list;
    if (drawing_.nodes[child].kind != DrawnNode::Kind::box) return {child};
    for (const std::size_t i : lines_[child])
      if (drawing_.lines[i].to == child) list.push_back(drawing_.lines[i].from);
    return list;
  }
  std::vector<std::size_t> operations_of(std::size_t box) const {
    std::vector<std::size_t> list = drawing_.nodes[box].children;
    std::erase_if(list, [&](std::size_t child) { return drawing_.nodes[child].operations == 0; });
    return list;
  }
  // What in the first of equal parts is what `from` is in its own: on the way down to both, each step leads to the
  // child with the same number. Where that one makes nothing that leaves, another that does.
  std::size_t same_in_first(std::size_t from) const {
    const std::size_t first = drawing_.nodes[box_].children[0];
    std::size_t same = first;
    for (std::size_t its = drawing_.child_towards(box_, from); its != from;) {
      const std::size_t child = drawing_.child_towards(its, from);
      const std::vector<std::size_t> here = operations_of(its), there = operations_of(same);
      const auto at = static_cast<std::size_t>(std::find(here.begin(), here.end(), child) - here.begin());
      if (at >= there.size()) break;
      its = child;
      same = there[at];
    }
    const std::vector<std::size_t> all = leaving(first);
    if (all.empty()) return first;
    return std::find(all.begin(), all.end(), same) == all.end() ? all.back() : same;
  }

  const Drawing& drawing_;
  std::size_t box_;
  bool all_;
  const std::vector<std::vector<std::size_t>>& lines_;
  Body body_;
  std::vector<std::size_t> incoming_, outgoing_;
  std::map<std::pair<Body::Kind, std::size_t>, std::size_t> places_;  // of items
};

}  // namespace

std::vector<std::vector<std::size_t>> lines_by_box(const Drawing& drawing) {
  std::vector<std::vector<std::size_t>> lines(drawing.nodes.size());
  for (std::size_t i = 0; i < drawing.lines.size(); ++i) lines[drawing.box_of(drawing.lines[i])].push_back(i);
  return lines;
}

Body body_of(const Drawing& drawing, std::size_t box, bool all, const std::vector<std::vector<std::size_t>>& lines) {
  return Wiring(drawing, box, all, lines).wire();
}

}  // namespace regard
