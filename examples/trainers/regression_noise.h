#pragma once

#include "examples/plot/figure.h"
#include "examples/trainers/regression.h"

#include <cstdint>
#include <string>
#include <vector>

// An error has two parts. The bias is there whatever the noise: the mean of all answers is off. The noise is what makes
// one answer differ from the next. They are measured by drawing the noise of the data several times.
namespace regard::regression {

// What a model answers at the same places, after each draw: (draws, places).
struct Redraws {
  std::string name;
  Tensor answers;
};

// Roots of mean squares: bias² + noise² is the mean squared error, but for chance. The mean of R answers has an Rth of
// the noise's square left in it, which is taken off the bias.
struct Parts {
  double bias, noise;
};
Parts parts(const Tensor& answers, const Tensor& truth);
// How far chance may have moved each part: a deviation, found by leaving out one draw after the other.
Parts uncertainty(const Tensor& answers, const Tensor& truth);

// One w, a w for each key, and the same with the leak, on data of the known curve.
std::vector<Redraws> redraw(const Experiment& ex, int draws, std::int64_t epochs, double learning_rate,
                            std::uint64_t seed);

plot::Figure parts_figure(const std::vector<Redraws>& all, const Tensor& truth);
std::string about_parts(const std::vector<Redraws>& all, const Tensor& truth);  // the first is what others are held to

}  // namespace regard::regression
