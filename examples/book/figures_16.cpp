#include "examples/book/figures.h"
#include "tensor/attention/ladder.h"

#include <map>

namespace regard::book {
namespace {

// Each rung by what it holds.
const std::map<std::string, std::string> names{{"1_definition", "all scores at once"},
                                               {"2_online_softmax", "one score at a time"},
                                               {"3_tiles", "tiles"},
                                               {"4_any_score", "tiles, any score"}};

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
    axes.line(at, held, {.label = names.at(rung.name), .width = 2});
  }
  axes.scatter({65536}, {16384}, {.color = plot::ink, .size = 3}).note(72000, 2700, "16 GiB", plot::Align::end);
  axes.title("only the first rung grows with the square");
  axes.x_logarithmic().y_logarithmic().x_label("tokens").y_label("MiB held");
  return figure;
}

}  // namespace

std::vector<Picture> figures_16() { return {{"ladder_memory.svg", ladder_memory}}; }

}  // namespace regard::book
