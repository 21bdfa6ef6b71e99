#include "examples/trainers/watch_picture.h"

#include "nn/tools/watch/warnings.h"
#include "tensor/create.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <utility>
#include <vector>

namespace regard {
namespace {

constexpr double row_height = 11, panel_width = 300;  // in points

// Numbers by row and step. A row has its place by when it was first seen.
class Table {
 public:
  explicit Table(std::size_t steps) : steps_(steps) {}
  void set(const std::string& row, std::size_t step, double number) {
    const auto [place, is_new] = places_.try_emplace(row, names_.size());
    if (is_new) {
      names_.push_back(row);
      numbers_.resize(numbers_.size() + steps_, std::numeric_limits<double>::quiet_NaN());
    }
    numbers_[place->second * steps_ + step] = number;
  }
  bool empty() const { return names_.empty(); }
  const std::vector<std::string>& names() const { return names_; }
  double largest() const {  // NaN aside
    double most = -std::numeric_limits<double>::infinity();
    for (const double number : numbers_) most = number > most ? number : most;
    return most;
  }
  Tensor tensor() const { return regard::tensor(numbers_, {std::ssize(names_), static_cast<std::int64_t>(steps_)}); }

 private:
  std::size_t steps_;
  std::map<std::string, std::size_t> places_;
  std::vector<std::string> names_;
  std::vector<double> numbers_;
};

// log₁₀; what is 0 has none.
double power(double number) { return number > 0 ? std::log10(number) : std::numeric_limits<double>::quiet_NaN(); }

struct Panel {
  const char* title;
  Table table;
  plot::HeatmapOptions options;
};

// The powers of ten between which all numbers are, six at most.
void fit_powers(Panel& panel) {
  double high = -std::numeric_limits<double>::infinity(), low = -high;
  for (const double number : to_vector(panel.table.tensor()))
    if (std::isfinite(number)) high = std::max(high, number), low = std::min(low, number);
  if (low > high) return;
  panel.options.high = std::ceil(high), panel.options.low = std::max(std::floor(low), std::ceil(high) - 6);
  if (*panel.options.high == *panel.options.low) *panel.options.high += 1;
}

std::vector<Panel> panels_of(const nn::Watch& watch) {
  const std::vector<nn::WatchedStep>& steps = watch.steps();
  const bool finite = std::ranges::none_of(steps, [](const auto& step) { return nn::not_finite(step).has_value(); });
  const auto panel = [&](const char* title, const char* bar, bool share) {
    Panel one{title,
              Table(steps.size()),
              {.bar_label = bar, .missing = finite ? "0 or none" : "0, none or NaN", .square = false}};
    if (share) one.options.low = 0, one.options.high = 1;
    return one;
  };
  std::vector<Panel> all{panel("Matrices: size of the gradient", "power of ten", false),
                         panel("Matrices: update over weight", "power of ten", false),
                         panel("Activations: deviation", "power of ten", false),
                         panel("Activations: size of the gradient", "power of ten", false),
                         panel("Activations: share of zeros", "share", true),
                         panel("Activations: share of saturated", "share", true),
                         panel("Heads: weight of the key looked at most", "weight", true),
                         panel("Heads: distance from the nearest other", "distance", true)};
  for (std::size_t s = 0; s < steps.size(); ++s) {
    for (const nn::WatchedParameter& one : steps[s].parameters) {
      if (one.rank < 2) continue;
      all[0].table.set(one.name, s, power(one.gradient_size()));
      all[1].table.set(one.name, s, power(one.update));
    }
    for (const nn::WatchedActivation& one : steps[s].activations) {
      all[2].table.set(one.name, s, power(one.spread.deviation()));
      all[3].table.set(one.name, s, power(one.gradient_size()));
      if (one.name.ends_with("relu") || one.name.ends_with("activation"))
        all[4].table.set(one.name, s, one.spread.zeros);
      if (one.has_ends) all[5].table.set(one.name, s, one.saturated);
    }
    for (const nn::WatchedHead& one : steps[s].heads) {
      const std::string name = fmt::format("{}, head {}", one.name, one.head);
      all[6].table.set(name, s, one.one_key);
      if (one.twin >= 0) all[7].table.set(name, s, one.distance);
    }
  }
  for (std::size_t i = 0; i < 4; ++i) fit_powers(all[i]);
  std::vector<Panel> shown;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_share = i == 4 || i == 5;  // where nothing is 0, or saturated, there is nothing to see
    if (!all[i].table.empty() && !(is_share && all[i].table.largest() < 0.005)) shown.push_back(std::move(all[i]));
  }
  return shown;
}

}  // namespace

bool has_watch_figure(const nn::Watch& watch) { return !watch.steps().empty() && !panels_of(watch).empty(); }

plot::Figure watch_figure(const nn::Watch& watch, const std::string& title) {
  const std::vector<Panel> panels = panels_of(watch);
  constexpr int columns = 2;
  const int rows = (static_cast<int>(panels.size()) + columns - 1) / columns;
  std::size_t most = 8;
  for (const Panel& one : panels) most = std::max(most, one.table.names().size());
  plot::Figure figure({.rows = rows,
                       .columns = columns,
                       .width = columns * (panel_width + 260),
                       .height = rows * (row_height * static_cast<double>(most) + 70),
                       .title = title});
  const std::vector<nn::WatchedStep>& steps = watch.steps();
  for (std::size_t i = 0; i < panels.size(); ++i) {
    plot::HeatmapOptions options = panels[i].options;
    options.title = panels[i].title;
    options.x = "step";
    options.y_tokens = panels[i].table.names();
    if (steps.size() > 1) options.x_edges = plot::Range{0, static_cast<double>(steps.back().step)};
    figure.axes(static_cast<int>(i) / columns, static_cast<int>(i) % columns)
        .heatmap(panels[i].table.tensor(), options);
  }
  if (panels.size() % columns != 0) figure.axes(rows - 1, columns - 1).bare();
  return figure;
}

std::string watch_notice(const nn::Watch& watch) {
  const std::vector<std::string> warnings = nn::warnings(watch);
  std::string looked = fmt::format("{} steps were looked at: ", watch.steps().size());
  if (watch.every() == 1)
    looked += "all of them. ";
  else
    looked += fmt::format("the first, and each whose number is a multiple of {}. ", watch.every());
  return looked + (warnings.empty() ? "There is nothing to warn of." : "Warnings: " + join_words(warnings, " "));
}

}  // namespace regard
