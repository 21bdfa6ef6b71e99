#include "nn/tools/draw/svg.h"

#include "nn/tools/draw/picture.h"
#include "nn/tools/explain/document.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace regard {
namespace {

// A box around a single operation, without a parameter, has nothing more to show.
bool has_more_inside(const DrawnNode& node) { return node.children.size() > (node.operations == 1 ? 1 : 0); }

std::string rect_of(const Picture::Frame& frame, double radius) {
  return fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{}\"/>", frame.x, frame.y,
                     frame.width, frame.height, radius);
}

std::string text_at(double x, double y, const std::string& attributes, const std::string& inside) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\"{}>{}</text>", x, y, attributes, inside);
}

// In the order of DrawnNode::Kind.
constexpr std::array look_of{"operation", "parameter", "input", "constant", "box"};

std::string svg_of(const DrawnNode& node, const Picture::Frame& frame, bool is_link) {
  const std::string name = "<tspan class=\"name\">" + for_html(node.name) + "</tspan>", shape = for_html(node.shape);
  std::string svg = fmt::format("<g class=\"{}{}\"><title>{}</title>", look_of[static_cast<std::size_t>(node.kind)],
                                frame.open ? " open" : "", for_html(node.told.empty() ? node.name : node.told));
  svg += rect_of(frame, frame.open ? 8 : 5);
  if (frame.open) {
    svg += text_at(frame.x + 8, frame.y + 16, " class=\"title\"", name);
  } else {
    const double x = frame.x + frame.width / 2, y = frame.y + (node.formula.empty() ? frame.height / 2 + 4 : 17);
    svg += text_at(x, y, "", name + (node.name.empty() || shape.empty() ? "" : "\u00a0\u00a0") + shape);
    if (!node.formula.empty()) svg += text_at(x, frame.y + 32, "", for_html(node.formula));
  }
  if (is_link && !frame.open) svg += text_at(frame.x + frame.width - 10, frame.y + 15, " class=\"mark\"", "+");
  svg += "</g>\n";
  return is_link ? fmt::format("<a href=\"#b{}\">{}</a>", frame.node, svg) : svg;
}

std::string svg_of(const DrawnLine& line, const DrawnNode& maker, const Picture::Path& path, double largest) {
  const Picture::Bend* before = &path.bends.front();
  std::string way = fmt::format("M{:.1f} {:.1f}V{:.1f}", before->x, before->top, before->bottom);
  for (std::size_t i = 1; i < path.bends.size(); ++i) {
    const auto& [x, top, bottom] = path.bends[i];
    const double middle = (before->bottom + top) / 2;
    way +=
        fmt::format("C{:.1f} {:.1f} {:.1f} {:.1f} {:.1f} {:.1f}V{:.1f}", before->x, middle, x, middle, x, top, bottom);
    before = &path.bends[i];
  }
  const double gradient = line.gradient.value_or(0);
  const char* look = !std::isfinite(gradient) ? "broken" : gradient > 0 ? "plain" : "none";
  const std::string told =
      line.gradient ? fmt::format("gradient norm {:.4g}", gradient) : std::string("no gradient comes back");
  return fmt::format("<path class=\"{}\" stroke-width=\"{:.1f}\" d=\"{}\"><title>{} {}\n{}</title></path>\n", look,
                     line_width(gradient, largest), way, for_html(maker.name), for_html(maker.shape), told);
}

// What is inside a box, as a picture; with links, to those of the boxes in it.
std::string svg_of(const Drawing& drawing, std::size_t box, const std::string& style, bool with_links) {
  const Picture picture = lay_out(drawing, box);
  double largest = 0;
  for (const DrawnLine& line : drawing.lines)
    if (std::isfinite(line.gradient.value_or(0))) largest = std::max(largest, line.gradient.value_or(0));
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"drawing\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "viewBox=\"0 0 {0:.0f} {1:.0f}\">{2}\n",
      picture.width, picture.height, style);
  const auto add_nodes = [&](bool open) {
    for (const Picture::Frame& frame : picture.frames)
      if (const DrawnNode& node = drawing.nodes[frame.node]; frame.open == open)
        svg += svg_of(node, frame, with_links && has_more_inside(node));
  };
  add_nodes(true);
  for (const Picture::Path& path : picture.paths) {
    const DrawnLine& line = drawing.lines[path.line];
    svg += svg_of(line, drawing.nodes[line.from], path, largest);
  }
  add_nodes(false);
  for (const Picture::Frame& frame : picture.sources)
    svg += "<g class=\"source\">" + rect_of(frame, 9) +
           text_at(frame.x + frame.width / 2, frame.y + 13, "", for_html(drawing.nodes[frame.node].label())) + "</g>\n";
  return svg + "</svg>\n";
}

// The names of the boxes around a box, each a link, and its own.
std::string way_to(const Drawing& drawing, std::size_t box) {
  std::string way = fmt::format("<strong>{}</strong>", box == 0 ? "all" : for_html(drawing.nodes[box].name));
  while (box != 0) {
    box = drawing.nodes[box].box;
    way = fmt::format("<a href=\"#b{}\">{}</a> › ", box, box == 0 ? "all" : for_html(drawing.nodes[box].name)) + way;
  }
  return way;
}

}  // namespace

double line_width(double gradient, double largest) {
  if (!std::isfinite(gradient)) return 4;
  return gradient > 0 ? 5 + std::clamp(std::log10(gradient / largest), -4.0, 0.0) : 1;
}

std::string to_svg(const Drawing& drawing) {
  return svg_of(drawing, 0, "<style>\n" + std::string(drawing_style) + "</style>", false);
}

std::string to_html(const Drawing& drawing, const std::string& title) {
  std::string pictures;
  for (std::size_t box = 0; box < drawing.nodes.size(); ++box)
    if (box == 0 || has_more_inside(drawing.nodes[box]))
      pictures += fmt::format("<section id=\"b{}\"><nav>{}</nav>\n{}</section>\n", box, way_to(drawing, box),
                              svg_of(drawing, box, "", true));
  std::string html(drawing_page);
  fill_in(html, "style", std::string(drawing_style) + std::string(drawing_page_style));
  fill_in(html, "title", for_html(title));
  fill_in(html, "heading", for_html(title));
  fill_in(html, "pictures", pictures);
  return html;
}

}  // namespace regard
