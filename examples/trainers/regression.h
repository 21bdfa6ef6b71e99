#pragma once

#include "nn/attention/nadaraya_watson.h"
#include "nn/optim/sgd.h"
#include "tensor/random/generator.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

// 06: points on a curve, and five ways to say how near is near.
namespace regard::regression {

struct Estimator {
  std::string name;
  nn::NadarayaWatson regression;
  nn::RegressionTraining training = nn::RegressionTraining::leave_one_out;
  std::optional<optim::SGD> optimizer = {};  // of those that learn
  std::vector<double> losses = {}, held_out = {};

  Tensor weights(const Tensor& at) const;  // all of them, which only a picture needs
  Tensor predict(const Tensor& at);
  double mse(const Tensor& at, const Tensor& y);
  double loss();          // in training, as it is now
  Tensor widths() const;  // σ, in the x that models see
};

// Models see x from 0 to 20, and data of a file with a mean of 0 and a variance of 1. What is told and drawn is in the
// numbers of the file: x_low + x_scale·x, y_low + y_scale·y.
struct Units {
  std::string x_label = "x", y_label = "y";
  std::string of_x = {}, of_y = {};  // " ms", to be written after a number
  double x_low = 0, x_scale = 1, y_low = 0, y_scale = 1;

  Tensor x(const Tensor& seen) const;
  Tensor y(const Tensor& seen) const;
};

inline constexpr double width = 20;
inline constexpr double noise = 0.5;  // deviation of the noise of the known curve

struct Experiment {
  Tensor x, y, test_x, test_y;  // data to learn from, and data that is held out
  Tensor truth;                 // without noise, at test_x; undefined where nobody knows it
  Units units = {};
  std::vector<Estimator> all = {};  // a to e
  std::int64_t epoch = 0;           // so many are done
  std::vector<double> epochs = {};  // after which losses were recorded

  double error(Estimator& e) const;  // against the truth, or else on what is held out; root of the mean of squares
  std::vector<double> errors();
};

// y = 2 sin x + 0.4 sin 3x + 0.6 sin 6x + √x, with noise.
Experiment synthetic(std::int64_t points, Generator generator);
// The same x, and other noise.
Experiment with_other_noise(const Experiment& ex, Generator generator);
// Two columns of a file, brought to a comparable scale. Every third point is held out.
Experiment from_file(const std::string& file);

// The five, of which the last three learn. `patient`: small steps also where there is a width for each key.
void add_estimators(Experiment& ex, double learning_rate, bool patient);
// One step of those that learn. Returns the loss of the fourth before it.
double step(Experiment& ex);
void record(Experiment& ex, std::int64_t epochs_done);  // the losses as they are now

}  // namespace regard::regression
