#pragma once

#include "nn/tools/draw/draw.h"
#include "nn/tools/explain/modules.h"

#include <string>
#include <vector>

namespace regard {

// Puts the nodes of a drawing into boxes, each a run of operations that were recorded one after the other: so values go
// only from earlier boxes to later ones, and a picture has no circles.
class Boxes {
 public:
  using Nodes = std::vector<std::size_t>;

  // `modules` are those of the operations, which are the nodes of the drawing from 1 on.
  Boxes(Drawing& drawing, const std::vector<ModulePath>& modules) : drawing_(drawing), modules_(modules) {}

  // Those from first up to, and without, last; the boxes around them are `depth` modules deep. A module that is called
  // twice is two boxes.
  Nodes by_module(std::size_t first, std::size_t last, std::size_t depth);

  // What lies side by side, put into boxes of 120 where it is more: "leaves 1 – 120".
  Nodes in_few(Nodes nodes, const std::string& what);

 private:
  std::size_t add_box(const std::string& name, const Nodes& children);
  std::size_t box_of_module(const ModulePath& path, const Nodes& inside);

  Drawing& drawing_;
  const std::vector<ModulePath>& modules_;
};

}  // namespace regard
