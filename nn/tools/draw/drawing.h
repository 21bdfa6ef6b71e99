#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace regard {

// What is to be seen in a picture of a recorded computation, before it is known where.
struct DrawnNode {
  enum class Kind { operation, parameter, input, constant, box };

  Kind kind = Kind::operation;
  std::string name = {};     // "softmax"; "weight"; of a box "attention"
  std::string shape = {};    // of the value, of a box that of its last one
  std::string formula = {};  // "eˣ / Σ eˣ"; of a box that of its only operation, or how many there are
  std::string told = {};     // more lines, for who points at it: what the value is like, its gradient
  std::size_t box = 0;       // that it lies in
  std::size_t first = 0;     // its number in the order of recording; of a box the first inside, of a leaf the first use
  std::size_t operations = 0;  // of a box inside, those of boxes inside counted; of an operation 1
  // Of a box:
  std::vector<std::size_t> children = {};  // in the order of recording
  std::size_t times = 1;                   // so many children are equal; while it is folded, the first stands for all
  bool folded = false;
};

// A line of the picture. A value that is made in one box and used in another crosses their borders, and each piece
// between two borders is a line of its own: `to` is the node that uses the value, or a box that it enters, or a box
// that it leaves, which is one around `from`.
struct DrawnLine {
  std::size_t from, to;            // `from` makes the value, wherever the line begins
  std::optional<double> gradient;  // the norm of what comes back along this line; nothing if nothing does
};

struct Drawing {
  std::vector<DrawnNode> nodes;  // the first is the box around all
  std::vector<DrawnLine> lines;

  // A box is inside itself.
  bool is_inside(std::size_t node, std::size_t box) const {
    while (node != box && node != 0) node = nodes[node].box;
    return node == box;
  }
  // The child of the box that node is inside.
  std::size_t child_towards(std::size_t box, std::size_t node) const {
    while (nodes[node].box != box) node = nodes[node].box;
    return node;
  }
  // In whose inside the line is drawn.
  std::size_t box_of(const DrawnLine& line) const {
    return is_inside(line.from, line.to) ? line.to : nodes[line.to].box;
  }
  // A box whose inside is drawn.
  bool is_open(std::size_t node) const {
    return !nodes[node].children.empty() && (!nodes[node].folded || nodes[node].times > 1);
  }
  bool shows_one_for_all(std::size_t box) const { return nodes[box].times > 1 && nodes[box].folded; }
  std::span<const std::size_t> children_in_sight(std::size_t box) const {
    const std::span<const std::size_t> children = nodes[box].children;
    return shows_one_for_all(box) ? children.first(1) : children;
  }
};

}  // namespace regard
