#pragma once

#include "nn/tools/draw/draw.h"

namespace regard {

// A box of a drawing that is laid out: where its parts are, in points, y downwards.
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
    std::vector<Bend> bends;
  };
  double width = 0, height = 0;
  std::vector<Frame> frames;   // outer ones first
  std::vector<Frame> sources;  // names, for values that come from outside of the box
  std::vector<Path> paths;
};

inline constexpr double title_height = 26;  // of a box that is open

// Boxes inside are open, the outer ones first, while no more than `most` nodes are in sight.
Picture lay_out(const Drawing& drawing, std::size_t box = 0, std::size_t most = 120);

}  // namespace regard
