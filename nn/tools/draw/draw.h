#pragma once

#include "nn/tools/parameter_names.h"

namespace regard {

// What is to be seen in a picture of a recorded computation.
struct DrawnNode {
  enum class Kind { operation, parameter, input, constant, box };

  Kind kind = Kind::operation;
  std::string name = {};                   // "softmax"; "weight"; of a box "attention"
  std::string shape = {};                  // of the value, of a box that of its last one
  std::string formula = {};                // "eˣ / Σ eˣ"; of a box that of its only operation, or how many there are
  std::string told = {};                   // more lines, for who points at it: what the value is like, its gradient
  std::size_t box = 0;                     // that it lies in
  std::size_t operations = 0;              // of a box all inside, those of boxes inside counted; of an operation 1
  std::vector<std::size_t> children = {};  // of a box: operations and boxes in the order of recording, then leaves
  std::vector<std::size_t> lines = {};     // of a box: those that are drawn right inside

  const std::string& label() const { return name.empty() ? shape : name; }  // constants have no name
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
};

// The recorded graph of x as a picture: what it was made from, each operation with its formula and its shape, modules
// as boxes, and on each line the norm of the gradient that comes back if the gradient at x is 1. The graph and the
// gradients of leaves stay as they are. Nothing was kept for this when operations were recorded. Of a model the names
// are nn::named_parameters(model).
Drawing draw(const Variable& x, const std::vector<NamedParameter>& names = {});

// As a picture that stands alone, light and dark. Boxes stay closed where there is no room for what is inside.
std::string to_svg(const Drawing& drawing);

// A page that stands alone, without a script: a click on a box shows what is inside, and pointing at a thing tells
// about it.
std::string to_html(const Drawing& drawing, const std::string& title = "A recorded graph");

}  // namespace regard
