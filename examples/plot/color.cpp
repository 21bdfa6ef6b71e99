#include "examples/plot/color.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace regard::plot {

Color series_color(std::size_t i) {
  static constexpr std::uint32_t cycle[] = {0x1f77b4, 0xff7f0e, 0x00ad88, 0x7d0f28, 0xc9a0dc,
                                            0x222222, 0x8c564b, 0x7f7f7f, 0xbcbd22, 0x17becf};
  return hex(cycle[i % std::size(cycle)]);
}

namespace {

// Colours at equal steps from 0 to 1; between them a map is linear. Reds and the diverging one (RdBu) are Cynthia
// Brewer's.
const std::vector<std::uint32_t>& stops(Colormap map) {
  static const std::vector<std::uint32_t> reds{0xfff5f0, 0xfee0d2, 0xfcbba1, 0xfc9272, 0xfb6a4a,
                                               0xef3b2c, 0xcb181d, 0xa50f15, 0x67000d};
  static const std::vector<std::uint32_t> viridis{0x440154, 0x482475, 0x414487, 0x355f8d, 0x2a788e, 0x21918c,
                                                  0x22a884, 0x44bf70, 0x7ad151, 0xbddf26, 0xfde725};
  static const std::vector<std::uint32_t> diverging{0x053061, 0x2166ac, 0x4393c3, 0x92c5de, 0xd1e5f0, 0xf7f7f7,
                                                    0xfddbc7, 0xf4a582, 0xd6604d, 0xb2182b, 0x67001f};
  static const std::vector<std::uint32_t> gray{0xffffff, 0x000000};
  switch (map) {
    case Colormap::reds: return reds;
    case Colormap::viridis: return viridis;
    case Colormap::diverging: return diverging;
    case Colormap::gray: return gray;
  }
  return gray;
}

}  // namespace

Color color_at(Colormap map, double t) {
  if (std::isnan(t)) return not_a_number;
  const std::vector<std::uint32_t>& colors = stops(map);
  const double place = std::clamp(t, 0.0, 1.0) * static_cast<double>(colors.size() - 1);
  const std::size_t i = std::min(static_cast<std::size_t>(place), colors.size() - 2);
  const Color a = hex(colors[i]), b = hex(colors[i + 1]);
  const double f = place - static_cast<double>(i);
  return {a.red + f * (b.red - a.red), a.green + f * (b.green - a.green), a.blue + f * (b.blue - a.blue)};
}

double lightness(const Color& color) { return 0.299 * color.red + 0.587 * color.green + 0.114 * color.blue; }

}  // namespace regard::plot
