#include "nn/tools/draw/svg.h"

#include "nn/tools/draw/draw.h"
#include "nn/tools/explain/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace regard {
namespace {

std::string path_of(const Picture::Path& path) {
  const Picture::Bend* before = &path.bends.front();
  std::string text = fmt::format("M{:.1f} {:.1f}V{:.1f}", before->x, before->top, before->bottom);
  for (std::size_t i = 1; i < path.bends.size(); ++i) {
    const auto& [x, top, bottom] = path.bends[i];
    const double middle = (before->bottom + top) / 2;
    text +=
        fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}", before->x, middle, x, middle, x, top, bottom);
    before = &path.bends[i];
  }
  return text;
}

std::string rect_of(const Picture::Frame& frame, double height, const std::string& attributes) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" {}/>", frame.x, frame.y,
                     frame.width, height, attributes);
}
std::string text_at(double x, double y, const std::string& attributes, const std::string& inside) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", x, y, attributes, inside);
}

// In the order of DrawnNode::Kind.
constexpr std::array look_of{"operation", "parameter", "input", "constant", "box"};

std::string frame_of(const DrawnNode& node, const Picture::Frame& frame, const std::string& link) {
  const Inscription words = inscription_of(node);
  const std::string name = "<tspan class=\"name\">" + for_html(words.name) + "</tspan>", shape = for_html(words.shape);
  std::string svg = fmt::format("<g class=\"{}{}\"><title>{}</title>", look_of[static_cast<std::size_t>(node.kind)],
                                frame.open ? " open" : "", for_html(node.told.empty() ? node.name : node.told));
  svg += rect_of(frame, frame.height, frame.open ? "rx=\"8\"" : "rx=\"5\"");
  if (frame.open) {
    if (!link.empty()) svg += rect_of(frame, title_height, "class=\"strip\"");
    svg += text_at(frame.x + 8, frame.y + 16, " class=\"title\"", name);
  } else {
    const double x = frame.x + frame.width / 2, y = frame.y + (words.formula.empty() ? frame.height / 2 + 4 : 17);
    svg += text_at(x, y, "", name + (words.name.empty() || shape.empty() ? "" : "\u00a0\u00a0") + shape);
    if (!words.formula.empty()) svg += text_at(x, frame.y + 32, "", for_html(words.formula));
  }
  if (link.empty()) return svg + "</g>\n";
  svg += text_at(frame.x + frame.width - 10, frame.y + 15, " class=\"mark\"", node.folded ? "+" : "−");
  return fmt::format("<a {}>{}</g></a>\n", link, svg);
}

}  // namespace

std::vector<LineLook> looks_of(const Drawing& drawing) {
  double largest = 0;
  for (const DrawnLine& line : drawing.lines)
    if (line.gradient && std::isfinite(*line.gradient)) largest = std::max(largest, *line.gradient);
  std::vector<LineLook> looks;
  for (const auto& [from, to, gradient] : drawing.lines) {
    const DrawnNode& maker = drawing.nodes[from];
    const std::string value = maker.name + (maker.name.empty() ? "" : " ") + maker.shape;
    if (!gradient) {
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

std::string svg_of(const Drawing& drawing, const Picture& picture, const std::vector<LineLook>& looks,
                   const std::string& style, const LinkOf& link_of) {
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">{2}\n",
      picture.width, picture.height, style);
  for (const Picture::Path& path : picture.paths) {
    const LineLook& look = looks[path.line];
    svg += fmt::format("<path class=\"{}\" stroke-width=\"{:.1f}\" d=\"{}\"><title>{}</title></path>\n", look.look,
                       look.width, path_of(path), for_html(look.told));
  }
  for (const bool open : {true, false})  // boxes, then what is in them
    for (const Picture::Frame& frame : picture.frames)
      if (frame.open == open) svg += frame_of(drawing.nodes[frame.node], frame, link_of(frame.node));
  for (const Picture::Frame& frame : picture.mentions)
    svg += "<g class=\"mention\">" + rect_of(frame, frame.height, "rx=\"9\"") +
           text_at(frame.x + frame.width / 2, frame.y + 13, "", for_html(drawing.nodes[frame.node].name)) + "</g>\n";
  return svg + "</svg>\n";
}

std::string to_svg(const Drawing& drawing) {
  const std::string style = "<style>\n" + std::string(drawing_style) + "</style>";
  return svg_of(drawing, lay_out(drawing), looks_of(drawing), style, [](std::size_t) { return std::string(); });
}

}  // namespace regard
