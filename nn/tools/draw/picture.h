#pragma once

#include "nn/tools/draw/drawing.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

// A drawing that is laid out: where its parts are, in points, y downwards.
struct Picture {
  struct Frame {  // of a node in sight; `open`: what is inside is drawn
    std::size_t node;
    double x, y, width, height;
    bool open;
  };
  struct Bend {  // straight down from the top to the bottom of a row
    double x, top, bottom;
  };
  struct Path {
    std::size_t line;
    std::size_t from;  // what makes the value: in the first of equal parts, if that one stands for all
    std::vector<Bend> bends;
  };
  double width = 0, height = 0;
  std::vector<Frame> frames;    // outer ones first
  std::vector<Frame> mentions;  // of nodes whose lines are not drawn
  std::vector<Path> paths;
};

inline constexpr double title_height = 26;  // of a box that is open

Picture lay_out(const Drawing& drawing);

// What stands in a node: its name and shape, and below them its formula, cut short.
struct Inscription {
  std::string name, shape, formula;
  double width, height;  // of the node around it
};
Inscription inscription_of(const DrawnNode& node);

}  // namespace regard
