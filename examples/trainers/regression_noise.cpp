#include "examples/trainers/regression_noise.h"

#include "examples/trainers/claims.h"
#include "examples/trainers/progress.h"
#include "examples/trainers/regression_figures.h"
#include "examples/trainers/together.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace regard::regression {

namespace {

double deviation_of(double value) { return std::sqrt(std::max(value, 0.0)); }
double error(const Parts& of) { return std::hypot(of.bias, of.noise); }

// Squares, summed over all places and divided by their number; the bias may come out below 0.
Parts squares(const Tensor& answers, const Tensor& truth) {
  const double draws = static_cast<double>(answers.size(0));
  const Tensor middle = mean(answers, 0);
  const double noise = mean(square(answers - unsqueeze(middle, 0))).item() * draws / (draws - 1);
  return {mean(square(middle - truth)).item() - noise / draws, noise};
}

Tensor without(const Tensor& answers, std::int64_t draw) {
  return cat({slice(answers, 0, 0, draw), slice(answers, 0, draw + 1, to_end)}, 0);
}

// The deviation of what `of` measures, by leaving out one draw after the other.
template <class Of>
double jackknife(std::int64_t draws, const Of& of) {
  double sum = 0, sum_of_squares = 0;
  for (std::int64_t draw = 0; draw < draws; ++draw) {
    const double value = of(draw);
    sum += value;
    sum_of_squares += value * value;
  }
  const double n = static_cast<double>(draws);
  return deviation_of((sum_of_squares - sum * sum / n) * (n - 1) / n);
}

// "more bias (0.181 against 0.121)", where the difference is more than chance makes of it.
std::string compared(const std::string& what, double ours, double theirs, double chance) {
  const char* how = ours - theirs > 2 * chance ? "more" : theirs - ours > 2 * chance ? "less" : "about as much";
  return fmt::format("{} {} ({:.3f} against {:.3f})", how, what, ours, theirs);
}

}  // namespace

Parts parts(const Tensor& answers, const Tensor& truth) {
  const Parts squared = squares(answers, truth);
  return {deviation_of(squared.bias), deviation_of(squared.noise)};
}

Parts uncertainty(const Tensor& answers, const Tensor& truth) {
  const std::int64_t draws = answers.size(0);
  return {jackknife(draws, [&](std::int64_t draw) { return parts(without(answers, draw), truth).bias; }),
          jackknife(draws, [&](std::int64_t draw) { return parts(without(answers, draw), truth).noise; })};
}

std::vector<Redraws> redraw(const Experiment& ex, int draws, std::int64_t epochs, double learning_rate,
                            std::uint64_t seed) {
  std::vector<std::vector<Tensor>> answers(3);
  std::vector<Redraws> result(3);
  Progress progress("noise drawn anew", 0, draws * epochs);
  for (int draw = 0; draw < draws; ++draw) {
    Experiment drawn = with_other_noise(ex, Generator(seed, static_cast<std::uint64_t>(draw + 1) << 32));
    add_estimators(drawn, learning_rate, false);
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch) {
      const double loss = step(drawn);
      if (together().ranks.first()) progress.show(draw * epochs + epoch + 1, loss);
    }
    for (int i = 0; i < 3; ++i) {
      result[i].name = drawn.all[i + 2].name;
      answers[i].push_back(drawn.all[i + 2].predict(drawn.test_x));
    }
  }
  for (int i = 0; i < 3; ++i) result[i].answers = stack(answers[i], 0);
  return result;
}

plot::Figure parts_figure(const std::vector<Redraws>& all, const Tensor& truth) {
  std::vector<Parts> each;
  for (const Redraws& model : all) each.push_back(parts(model.answers, truth));
  const auto best = static_cast<std::size_t>(std::ranges::min_element(each, {}, error) - each.begin());
  const double least = error(each[best]);
  const Tensor angle = linspace(0, std::numbers::pi / 2, 100, DType::f64);
  plot::Figure figure({.width = 560, .height = 340});
  plot::Axes& axes = figure.axes();
  axes.line(least * cos(angle), least * sin(angle), {.color = plot::color_of_bound, .dashed = true})
      .note(least, 0.1 * least, fmt::format("error {:.3f}", least), plot::Align::end);
  plot::Range across, up;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const plot::Color color = color_of(static_cast<int>(i) + 2);
    const Parts &is = each[i], chance = uncertainty(all[i].answers, truth);
    axes.line({is.bias - chance.bias, is.bias + chance.bias}, {is.noise, is.noise}, {.color = color})
        .line({is.bias, is.bias}, {is.noise - chance.noise, is.noise + chance.noise}, {.color = color})
        .scatter({is.bias}, {is.noise}, {.color = color, .size = 5});
    if (i == best)  // inside of the arc, where no other is
      axes.note(is.bias - chance.bias, is.noise, all[i].name, plot::Align::end);
    else
      axes.note(is.bias + chance.bias, is.noise, all[i].name);
    across.include(is.bias + chance.bias);
    up.include(is.noise + chance.noise);
  }
  axes.title(all[best].name + " errs least")
      .x_label("bias: root of the mean square")
      .y_label("noise")
      .x_range(0, 1.4 * across.high)
      .y_range(0, 1.1 * std::max(up.high, least));
  return figure;
}

std::string about_parts(const std::vector<Redraws>& all, const Tensor& truth) {
  const Redraws& one = all.front();
  const Parts theirs = parts(one.answers, truth);
  std::string text;
  for (std::size_t i = 1; i < all.size(); ++i) {
    const Tensor& answers = all[i].answers;
    const Parts ours = parts(answers, truth);
    // Both have seen the same draws, so chance is measured on the differences.
    const auto chance = [&](const auto& of) {
      return jackknife(answers.size(0), [&](std::int64_t draw) {
        return of(parts(without(answers, draw), truth)) - of(parts(without(one.answers, draw), truth));
      });
    };
    const double more = error(ours) - error(theirs), by_chance = chance(error);
    const bool worse = more > 2 * by_chance, better = more < -2 * by_chance;
    const bool by_bias =
        ours.bias * ours.bias - theirs.bias * theirs.bias > ours.noise * ours.noise - theirs.noise * theirs.noise;
    text += fmt::format("With {}: {} and {}.", all[i].name,
                        compared("bias", ours.bias, theirs.bias, chance([](const Parts& of) { return of.bias; })),
                        compared("noise", ours.noise, theirs.noise, chance([](const Parts& of) { return of.noise; })));
    text += " " + told({{worse && by_bias, "It is worse, and mostly by its bias."},
                        {worse && !by_bias, "It is worse, and mostly by noise: it bends to that of its data."},
                        {better, "It is better."},
                        {!worse && !better, "It is neither better nor worse by more than chance."}});
    text += i + 1 < all.size() ? " " : "";
  }
  return text;
}

}  // namespace regard::regression
