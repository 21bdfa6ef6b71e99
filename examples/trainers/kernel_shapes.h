#pragma once

#include "examples/plot/figure.h"
#include "examples/trainers/regression.h"

#include <string>
#include <vector>

// Four kernels, without learning: how wide each should be.
namespace regard::regression {

// As a distribution each has the deviation σ, so that equal σ are equally wide.
struct Kernel {
  std::string name;
  Tensor (*shape)(const Tensor& distance_in_sigma);
};
const std::vector<Kernel>& four_kernels();

// Weights (Lq, n): a row for each query, of sum 1; NaN for a query that is farther from all keys than its kernel goes.
Tensor weights_of(const Kernel& kernel, const Tensor& queries, const Tensor& keys, double sigma);

// The errors of each kernel at each σ, on what is held out or against the truth. NaN where a query sees no key.
struct Sweep {
  std::vector<double> sigmas;
  std::vector<std::vector<double>> errors;  // of each kernel
  double gaussian_of_twice_its_width = 0;   // the error of the last kernel at 2σ, where σ is its best
};
Sweep sweep(const Experiment& ex);

std::string width_or_shape(const Sweep& sweep);  // which of them matters, as a title
plot::Figure kernels_figure(const Sweep& sweep);
std::string about_sweep(const std::vector<std::string>& names, const Sweep& sweep);

}  // namespace regard::regression
