#pragma once

#include "nn/tools/draw/drawing.h"
#include "nn/tools/draw/layered.h"

#include <cstddef>
#include <vector>

namespace regard {

// The inside of a box, in rows: its children, and where values come in through its upper border and leave through the
// lower one.
struct Body {
  enum class Kind { child, enters, leaves };
  struct Item {
    Kind kind;
    std::size_t node;  // the child, or what makes the value
  };
  struct Line {
    std::size_t line;  // in the drawing
    std::size_t from;  // what makes the value: in the first of equal parts, if that one stands for all
  };
  std::vector<Item> items;
  std::vector<Line> lines;  // as in graph.lines
  Layered graph;
};

// For each box its lines, in one pass over all.
std::vector<std::vector<std::size_t>> lines_by_box(const Drawing& drawing);

// `all`: all children; else, of a box of equal parts, the first, which stands for all.
Body body_of(const Drawing& drawing, std::size_t box, bool all, const std::vector<std::vector<std::size_t>>& lines);

}  // namespace regard
