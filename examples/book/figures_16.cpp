#include "examples/book/figures.h"
#include "tensor/attention/ladder.h"

#include <algorithm>

namespace regard::book {
namespace {

plot::Figure ladder_memory() {
  plot::Figure figure({.width = 560, .height = 330});
  auto& axes = figure.axes();
  for (const auto& rung : attention_ladder::ladder<float>()) {
    if (std::string(rung.name).starts_with("5")) continue;  // what it holds depends on the threads
    std::vector<double> at, held;
    for (std::int64_t n = 256; n <= 65536; n *= 2) {
      at.push_back(static_cast<double>(n));
      held.push_back(static_cast<double>(rung.held({n, n, 64, 64, nullptr, nullptr, nullptr, 0.125f})) / (256 * 1024));
    }
    std::string name = std::string(rung.name).substr(2);  // without its number, and with spaces
    std::ranges::replace(name, '_', ' ');
    axes.line(at, held, {.label = name, .width = 2});
  }
  axes.x_logarithmic().y_logarithmic().x_label("tokens").y_label("MiB held");
  return figure;
}

}  // namespace

std::vector<Picture> figures_16() { return {{"ladder_memory", ladder_memory}}; }

}  // namespace regard::book
