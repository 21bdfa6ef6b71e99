#include "examples/trainers/writing_pictures.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard {

namespace {

// So many of the n-gram models, from n = 1 on, have a higher loss.
std::size_t count_beaten(const std::vector<double>& counted, double loss) {
  std::size_t n = 0;
  while (n < counted.size() && counted[n] > loss) ++n;
  return n;
}

std::string all_up_to(std::size_t n) { return n == 1 ? "n-grams of n = 1" : fmt::format("n-grams of n = 1 to {}", n); }

}  // namespace

std::string beaten(const std::vector<double>& counted, double loss) {
  const std::size_t n = count_beaten(counted, loss);
  if (n == 0) return "worse than all n-gram models";
  return fmt::format("better than {}{}", all_up_to(n),
                     n < counted.size() ? fmt::format(", and not better than those of n = {}", n + 1) : "");
}

std::string title_of_losses(const Curves& curves, const std::vector<double>& counted, double loss) {
  const std::size_t n = count_beaten(counted, loss);
  for (std::size_t i = 0; n > 0 && i < curves.tested.size(); ++i)
    if (count_beaten(counted, curves.tested[i]) >= n)
      return fmt::format("by step {} it has passed {}", curves.tested_at[i], all_up_to(n));
  return beaten(counted, loss);
}

std::string about_context(const std::vector<double>& losses) {
  const auto least = std::ranges::min_element(losses);
  const std::ptrdiff_t seen = least - losses.begin() + 1;
  const std::string numbers = fmt::format("With one character it is {:.2f}, with {} it is {:.2f}", losses.front(),
                                          losses.size(), losses.back());
  if (seen == std::ssize(losses)) return numbers + ".";
  return numbers + fmt::format("; it is least with {}, {:.2f}: what stands further back helps no more.", seen, *least);
}

plot::Figure loss_figure(const Curves& curves, const std::vector<double>& counted, double end, double loss) {
  plot::Figure figure({.width = 680, .height = 380});
  plot::Axes& axes = figure.axes();
  const plot::Color blue = plot::series_color(0), orange = plot::series_color(1);
  axes.line(curves.steps, curves.learned, {.label = "what it learns from", .color = blue, .alpha = 0.5});
  axes.line(curves.tested_at, curves.tested,
            {.label = fmt::format("text never seen: {:.2f}", loss), .color = orange, .width = 2});
  axes.scatter(curves.tested_at, curves.tested, {.color = orange, .size = 3});  // where it was measured
  axes.scatter({end}, {loss}, {.color = orange, .size = 4.5});
  for (std::size_t i = 0; i < counted.size(); ++i)
    axes.line({1, end}, {counted[i], counted[i]},
              {.label = fmt::format("{}-grams", i + 1), .color = plot::color_of_bound, .dashed = true});
  axes.title(title_of_losses(curves, counted, loss)).x_label("step").y_label("nats a character").x_logarithmic();
  return figure;
}

plot::Figure context_figure(const Tensor& losses, const std::vector<double>& counted) {
  const Tensor seen = arange(losses.size(1), DType::f64) + 1, loss = mean(losses, 0);
  const Tensor half = 1.96 * sqrt(var(losses, 0) / static_cast<double>(losses.size(0)));
  std::vector<double> before, by_counting;
  for (std::size_t n = 2; n <= counted.size(); ++n)
    before.push_back(static_cast<double>(n - 1)), by_counting.push_back(counted[n - 1]);
  plot::Figure figure({.width = 620, .height = 400});
  const plot::Color orange = plot::series_color(1);
  figure.axes()
      .band(seen, loss - half, loss + half, {.color = orange, .alpha = 0.25})
      .line(seen, loss, {.label = "GPT", .color = orange, .width = 2})
      .scatter(before, by_counting, {.label = "n-grams, n = 2 to 6", .color = plot::color_of_bound, .size = 4})
      .x_label("characters before the one to come")
      .y_label("nats a character")
      .x_logarithmic();
  return figure;
}

}  // namespace regard
