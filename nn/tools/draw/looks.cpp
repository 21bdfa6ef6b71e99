#include "nn/tools/draw/looks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace regard {

std::vector<LineLook> looks_of(const Drawing& drawing) {
  double largest = 0;
  for (const DrawnLine& line : drawing.lines)
    if (line.gradient && std::isfinite(*line.gradient)) largest = std::max(largest, *line.gradient);
  std::vector<LineLook> looks;
  for (const auto& [from, to, gradient] : drawing.lines) {
    const DrawnNode& maker = drawing.nodes[from];
    const std::string value = maker.name + (maker.name.empty() ? "" : " ") + maker.shape;
    if (!drawing.has_gradients) {
      looks.push_back({1.5, "plain", value});
    } else if (!gradient) {
      looks.push_back({1, "none", value + "\nno gradient comes back"});
    } else if (!std::isfinite(*gradient)) {
      looks.push_back({4, "broken", fmt::format("{}\ngradient norm {}", value, *gradient)});
    } else {
      const double share = *gradient > 0 ? *gradient / largest : 0;
      const double width = 5 + std::clamp(std::log10(std::max(share, 1e-9)), -4.0, 0.0);
      looks.push_back(
          {width, *gradient > 0 ? "plain" : "none", fmt::format("{}\ngradient norm {:.4g}", value, *gradient)});
    }
  }
  return looks;
}

std::string look_of(DrawnNode::Kind kind) {
  switch (kind) {
    case DrawnNode::Kind::operation: return "operation";
    case DrawnNode::Kind::parameter: return "parameter";
    case DrawnNode::Kind::input: return "input";
    case DrawnNode::Kind::constant: return "constant";
    case DrawnNode::Kind::box: break;
  }
  return "box";
}

}  // namespace regard
