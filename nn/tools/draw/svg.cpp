#include "nn/tools/draw/svg.h"

#include "nn/tools/draw/looks.h"
#include "nn/tools/draw/page.h"
#include "nn/tools/draw/picture.h"
#include "nn/tools/explain/document.h"

#include <fmt/format.h>

#include <string_view>

namespace regard {
namespace {

// The style has a class for dark; in a picture that stands alone, it follows what its reader prefers.
std::string style() {
  const std::string_view css = drawing_style, dark = ".drawing.dark {";
  const std::size_t begin = css.find(dark), end = css.find('}', begin) + 1;
  const std::string_view colors = css.substr(begin + dark.size(), end - begin - dark.size());
  return fmt::format("{}@media (prefers-color-scheme: dark) {{ .drawing {{{} }}\n", css, colors);
}

std::string path_of(const Picture::Path& path) {
  std::string text;
  for (std::size_t i = 0; i < path.bends.size(); ++i) {
    const auto& [x, top, bottom] = path.bends[i];
    if (i == 0) {
      text += fmt::format("M{:.1f} {:.1f}", x, i + 1 == path.bends.size() ? top : std::min(top, bottom));
    } else {
      const Picture::Bend& before = path.bends[i - 1];
      const double middle = (before.bottom + top) / 2;
      text += fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}", before.x, middle, x, middle, x, top);
    }
    text += fmt::format("V{:.1f}", bottom);
  }
  return text;
}

std::string frame_of(const DrawnNode& node, const Picture::Frame& frame) {
  const Inscription text = inscription_of(node);
  const std::string name = for_html(text.name), shape = for_html(text.shape), formula = for_html(text.formula);
  std::string svg = fmt::format(
      "<g class=\"{}{}\"><title>{}</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "rx=\"{}\"/>",
      look_of(node.kind), frame.open ? " open" : "", for_html(node.told.empty() ? node.name : node.told), frame.x,
      frame.y, frame.width, frame.height, frame.open ? 8 : 5);
  if (frame.open)
    return svg +
           fmt::format("<text class=\"title\" x=\"{:.1f}\" y=\"{:.1f}\"><tspan class=\"name\">{}</tspan></text></g>\n",
                       frame.x + 8, frame.y + 16, name);
  const double x = frame.x + frame.width / 2, y = frame.y + (text.formula.empty() ? frame.height / 2 + 4 : 17);
  svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"><tspan class=\"name\">{}</tspan>{}{}</text>", x, y, name,
                     name.empty() || shape.empty() ? "" : "  ", shape);
  if (!formula.empty()) svg += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>", x, frame.y + 32, formula);
  return svg + "</g>\n";
}

}  // namespace

std::string to_svg(const Drawing& drawing) {
  const Picture picture = lay_out(drawing);
  const std::vector<LineLook> looks = looks_of(drawing);
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\"><style>\n{2}</style>\n",
      picture.width, picture.height, style());
  for (const Picture::Path& path : picture.paths) {
    const LineLook& look = looks[path.line];
    svg += fmt::format("<path class=\"{}\" stroke-width=\"{:.1f}\" d=\"{}\"><title>{}</title></path>\n", look.look,
                       look.width, path_of(path), for_html(look.told));
  }
  for (const bool open : {true, false})  // boxes, then what is in them
    for (const Picture::Frame& frame : picture.frames)
      if (frame.open == open) svg += frame_of(drawing.nodes[frame.node], frame);
  for (const auto& [node, x, y, width, height] : picture.mentions)
    svg += fmt::format(
        "<g class=\"mention\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"9\"/>"
        "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
        x - width / 2, y, width, height, x, y + 13, for_html(drawing.nodes[node].name));
  return svg + "</svg>\n";
}

}  // namespace regard
