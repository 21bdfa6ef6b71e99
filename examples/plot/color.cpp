#include "examples/plot/color.h"

#include "examples/plot/palette.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

namespace regard::plot {

Color series_color(std::size_t i) { return series_colors[i % std::size(series_colors)]; }

namespace {

std::span<const Color> stops(Colormap map) {
  switch (map) {
    case Colormap::reds:
    case Colormap::weights: return reds_map;
    case Colormap::viridis: return viridis_map;
    case Colormap::diverging: return diverging_map;
    case Colormap::gray: return gray_map;
  }
  return gray_map;
}

}  // namespace

Color color_at(Colormap map, double t) {
  if (std::isnan(t)) return not_a_number;
  const std::span<const Color> colors = stops(map);
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), colors.size() - 2);
  const Color a = colors[i], b = colors[i + 1];
  const double f = place - static_cast<double>(i);
  return {a.red + f * (b.red - a.red), a.green + f * (b.green - a.green), a.blue + f * (b.blue - a.blue)};
}

double lightness(const Color& color) { return 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue; }

Color readable(Color color) {
  while (lightness(color) > 0.5) color.red *= 0.95, color.green *= 0.95, color.blue *= 0.95;
  return color.with_alpha(1);
}

}  // namespace regard::plot
