#pragma once

#include "nn/tools/draw/drawing.h"
#include "nn/tools/explain/modules.h"
#include "nn/tools/explain/trace.h"

#include <map>
#include <string>
#include <vector>

namespace regard {

// Puts the nodes of a drawing into boxes, each a run of operations that were recorded one after the other: so values go
// only from earlier boxes to later ones, and a picture has no circles.
class Boxes {
 public:
  using Nodes = std::vector<std::size_t>;

  // `operations` are the indexes of the operations in the trace, `modules` are those of its steps.
  Boxes(Drawing& drawing, const graph::Trace& steps, const Nodes& operations, const std::vector<ModulePath>& modules);

  // Those from first up to, and without, last; the boxes around them are `depth` modules deep. A module that is called
  // twice is two boxes. Three equal modules in a row, or more, become one box, and so do four equal operations, or
  // groups of operations, or more.
  Nodes by_module(std::size_t first, std::size_t last, std::size_t depth);

  // What lies side by side, put into boxes of 120 where it is more: "leaves 1 – 120".
  Nodes in_few(const Nodes& nodes, const std::string& what);

 private:
  struct Repeat {
    std::size_t period = 0, times = 0;
    std::size_t length() const { return period * times; }
  };
  const ModulePath& path_of(std::size_t operation) const { return modules_[operations_[operation - 1]]; }
  bool is_module(std::size_t node) const;
  std::size_t add_box(const std::string& name, const Nodes& children);
  std::size_t likeness(const Nodes& nodes, std::size_t begin, std::size_t count, std::size_t depth);
  Repeat repeat_at(const Nodes& nodes, const Nodes& alike, std::size_t begin, std::size_t depth);
  Nodes with_repeats(const Nodes& nodes, std::size_t depth);

  Drawing& drawing_;
  const graph::Trace& steps_;
  const Nodes& operations_;
  const std::vector<ModulePath>& modules_;
  Nodes node_of_;  // of each step that is an operation; for others 0
  std::map<std::string, std::size_t> likenesses_;
};

}  // namespace regard
