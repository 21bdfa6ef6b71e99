// What lines are called, at their right ends: nobody has to look from a line to a box and back.
#include "examples/plot/layout.h"

#include <algorithm>
#include <optional>

namespace regard::plot {

namespace {

constexpr double apart = 13, distance = 7, widest_told = 190;  // in points

// Where a line ends, if that is at the right of the picture: what ends before would have its name among the data, and
// what leaves the picture at the top or the bottom has no end there.
std::optional<Point> end_of(const Series& series, const Division& division) {
  for (std::size_t i = series.x.size(); i-- > 0;) {
    const Point at{division.x(series.x[i]), division.y(series.y[i])};
    if (!std::isfinite(at.x) || !std::isfinite(at.y) || at.x > 1.001) continue;
    if (at.x < 0.88 || at.y < -0.01 || at.y > 1.01) return std::nullopt;
    return at;
  }
  return std::nullopt;
}

// Names that lie over each other move apart, each as far as the other, and stay beside the frame.
void spread(std::vector<EndLabel>& labels, const Box& box) {
  std::ranges::sort(labels, {}, [](const EndLabel& label) { return label.end.y; });
  for (int look = 0; look < 200; ++look) {
    for (std::size_t i = 0; i + 1 < labels.size(); ++i)
      if (const double missing = apart - (labels[i + 1].y - labels[i].y); missing > 0) {
        labels[i].y -= missing / 2;
        labels[i + 1].y += missing / 2;
      }
    labels.front().y = std::max(labels.front().y, box.top + apart / 3);
    labels.back().y = std::min(labels.back().y, box.bottom - apart / 3);
  }
}

}  // namespace

std::vector<EndLabel> end_labels(const Content& content, const Division& division, const Box& box) {
  std::vector<EndLabel> labels;
  if (!content.legend || !content.heats.empty()) return labels;
  for (const Series& series : content.series)
    if (series.kind == Series::Kind::line && !series.style.label.empty())
      if (const std::optional<Point> end = end_of(series, division)) {
        const Point at{box.left + end->x * box.width(), box.bottom - end->y * box.height()};
        labels.push_back({&series, at, at.y});
      }
  if (labels.empty() || apart * static_cast<double>(labels.size()) > box.height()) return {};
  if (end_label_room(labels) > widest_told) return {};
  spread(labels, box);
  return labels;
}

double end_label_room(const std::vector<EndLabel>& labels) {
  double widest = 0;
  for (const EndLabel& label : labels)
    widest = std::max(widest, distance + measure(label.series->style.label, tick_size).width);
  return widest;
}

void draw_end_labels(Canvas& canvas, const std::vector<EndLabel>& labels, const Box& box) {
  for (const EndLabel& label : labels) {
    const Color color = readable(*label.series->style.color);
    if (std::abs(label.y - label.end.y) > apart / 3)  // a name that had to move is tied to its line
      canvas.line({{box.right + 1, label.end.y}, {box.right + distance - 2, label.y}}, {.color = color, .width = 0.7});
    canvas.text({box.right + distance, label.y}, label.series->style.label,
                {.size = tick_size, .color = color, .vertical = Align::center});
  }
}

}  // namespace regard::plot
