#include "examples/trainers/regression.h"
#include "examples/trainers/csv.h"

#include "autograd/backward.h"
#include "examples/trainers/look.h"
#include "examples/trainers/trainer.h"
#include "examples/trainers/watched.h"
#include "nn/attention/scores/gaussian.h"
#include "nn/attention/skeleton.h"
#include "nn/module.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/ops/order.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace regard::regression {

using nn::GaussianKernel;
using nn::RegressionTraining;

namespace {
Tensor curve(const Tensor& x) { return 2 * sin(x) + 0.4 * sin(3 * x) + 0.6 * sin(6 * x) + sqrt(x); }
Tensor noisy(const Tensor& y, Generator& generator) { return y + normal(y.shape(), generator, 0, noise); }
}  // namespace

Tensor Estimator::weights(const Tensor& at) const {
  nn::NadarayaWatson seen = regression;  // shares its parameters
  seen.attention.method = nn::Method::composed;
  return NoGrad(), seen(at).weights.value();
}
Tensor Estimator::predict(const Tensor& at) { return NoGrad(), squeeze(regression(at).output.value(), 1); }
double Estimator::mse(const Tensor& at, const Tensor& y) { return mean(square(predict(at) - y)).item(); }
double Estimator::loss() { return NoGrad(), regression.loss_in_one_pass(training).item(); }
Tensor Estimator::widths() const { return 1 / abs(regression.attention.score.as<GaussianKernel>().w.value()); }

Tensor Units::x(const Tensor& seen) const { return seen * x_scale + x_low; }
Tensor Units::y(const Tensor& seen) const { return seen * y_scale + y_low; }

double Experiment::error(Estimator& e) const {
  return units.y_scale * std::sqrt(e.mse(test_x, truth.defined() ? truth : test_y));
}
std::vector<double> Experiment::errors() {
  std::vector<double> result;
  for (Estimator& e : all) result.push_back(error(e));
  return result;
}

Experiment synthetic(std::int64_t points, Generator generator) {
  const Tensor x = sort(uniform({points}, generator, 0, width), 0), test_x = linspace(0, width, points);
  const Tensor y = noisy(curve(x), generator), test_y = noisy(curve(test_x), generator);
  return {x, y, test_x, test_y, curve(test_x)};
}

Experiment with_other_noise(const Experiment& ex, Generator generator) {
  return {ex.x, noisy(curve(ex.x), generator), ex.test_x, noisy(curve(ex.test_x), generator), ex.truth};
}

Experiment from_file(const std::string& file) {
  const Tensor table = read_csv(file);
  if (table.size(1) != 2) fail<ShapeError>("{}: {} columns, but x and y are wanted", file, table.size(1));
  if (table.size(0) < 9 || !(min(var(table, 0)).item() > 0))
    fail<ValueError>("{}: it takes nine points, and neither x nor y all alike", file);
  const Tensor order = argsort(select(table, 1, 0), 0), raw_x = index_select(select(table, 1, 0), 0, order),
               raw_y = index_select(select(table, 1, 1), 0, order);
  Units units{.x_low = min(raw_x).item(),
              .x_scale = (max(raw_x) - min(raw_x)).item() / width,
              .y_low = mean(raw_y).item(),
              .y_scale = std::sqrt(var(raw_y).item())};
  if (std::filesystem::path(file).filename() == "motorcycle.csv") {
    units.x_label = "milliseconds after the impact", units.of_x = " ms";
    units.y_label = "acceleration of the head, g", units.of_y = " g";
  }
  const Tensor x = (raw_x - units.x_low) * (1 / units.x_scale), y = (raw_y - units.y_low) / units.y_scale;
  const auto third = [](const Tensor& t, int first) { return slice(t, 0, first, to_end, 3); };
  const Tensor training = sort(cat({third(arange(x.numel()), 0), third(arange(x.numel()), 1)}, 0), 0);
  return {index_select(x, 0, training), index_select(y, 0, training), third(x, 2), third(y, 2), {}, units};
}

void add_estimators(Experiment& ex, double learning_rate, bool patient) {
  const std::int64_t n = ex.x.numel();
  const std::string one = fmt::format("Gaussian, σ = {:.3g}{}", ex.units.x_scale, ex.units.of_x);
  ex.all.push_back({"mean of all", {GaussianKernel::fixed(1e9), ex.x, ex.y}});
  ex.all.push_back({one, {GaussianKernel::fixed(1), ex.x, ex.y}});
  ex.all.push_back({"one width, learned", {GaussianKernel::learned(), ex.x, ex.y}});
  ex.all.push_back({"a width for each key", {GaussianKernel::per_key(n), ex.x, ex.y}});
  ex.all.push_back(
      {"a width for each key, leaking", {GaussianKernel::per_key(n), ex.x, ex.y}, RegressionTraining::leaking});
  for (Estimator& e : ex.all) e.regression.attention.method = nn::Method::fused;
  // Each of n widths gets about an nth of the gradient. The large setting is patient; the others take larger steps.
  for (int i = 2; i < 5; ++i) {
    const double rate = learning_rate * (i == 2 || patient ? 1.0 : static_cast<double>(n));
    ex.all[i].optimizer.emplace(nn::parameters(ex.all[i].regression), optim::SGDOptions{.learning_rate = rate});
  }
}

double step(Experiment& ex) {
  double shown = 0;
  look_if_wanted(ex.all[3].regression, [&] { return ex.all[3].regression.loss_in_one_pass(ex.all[3].training); });
  for (int i = 2; i < 5; ++i) {
    Estimator& e = ex.all[i];
    const StepWatch watched(e.regression);
    const Variable loss = e.regression.loss_in_one_pass(e.training);
    e.optimizer->zero_grad();
    loss.backward();
    watched.before_step();
    e.optimizer->step();
    watched.after_step();
    if (i == 3) shown = loss.item();
  }
  return shown;
}

// Both losses of a model are taken at the same moment: the one in training is computed again after the step.
void record(Experiment& ex, std::int64_t epochs_done) {
  const double square = ex.units.y_scale * ex.units.y_scale;
  ex.epochs.push_back(static_cast<double>(epochs_done));
  for (int i = 2; i < 5; ++i) {
    ex.all[i].losses.push_back(square * ex.all[i].loss());
    ex.all[i].held_out.push_back(square * ex.all[i].mse(ex.test_x, ex.test_y));
  }
}

}  // namespace regard::regression
