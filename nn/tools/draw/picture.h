#pragma once

#include "nn/tools/draw/drawing.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

// A drawing whose parts have their places, in points, y downwards.
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
  struct Mention {  // of a node whose line is not drawn; x is its middle
    std::size_t node;
    double x, y, width, height;
  };
  double width = 0, height = 0;
  std::vector<Frame> frames;  // outer ones first
  std::vector<Path> paths;
  std::vector<Mention> mentions;
};

Picture lay_out(const Drawing& drawing);

// What stands in a node: its name and shape, and below them its formula, cut short.
struct Inscription {
  std::string name, shape, formula;
  double width, height;  // of the node around it
};
Inscription inscription_of(const DrawnNode& node);
double text_width(std::string_view text, double size);  // about

}  // namespace regard
