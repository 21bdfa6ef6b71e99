// Nadaraya–Watson regression: a query looks at all data points and takes the mean of what they say, the nearer the
// more. How near is near? All points alike, a fixed width, a learned one, one for each key, and the same where points
// see themselves.
#include "examples/trainers/kernel_shapes.h"
#include "examples/trainers/regression.h"
#include "examples/trainers/regression_claims.h"
#include "examples/trainers/regression_figures.h"
#include "examples/trainers/regression_noise.h"
#include "examples/trainers/trainer.h"
#include "nn/all.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

using namespace regard;
using namespace regard::regression;

namespace {

constexpr std::int64_t small = 500;  // points

// In the data's own numbers.
double one_width(Experiment& ex) { return ex.units.x_scale * ex.all[2].widths().item(); }
std::vector<double> widths_of_keys(Experiment& ex) { return to_vector(ex.all[3].widths() * ex.units.x_scale); }

void show(Trainer& trainer, Experiment& ex) {
  const auto picture = [&](const std::string& name, auto draw, const char* caption, const std::string& notice) {
    trainer.picture(
        name, [&] { return draw(ex); }, caption, notice);
  };
  const Units& units = ex.units;
  picture("fits", fits, "How near is near: three answers",
          about_fits(ex.errors(), units.of_y) + " " +
              about_widths(one_width(ex), widths_of_keys(ex), units.x_scale, units.of_x));
  picture(
      "losses", losses, "Losses while training, and on data that is held out",
      "Both are taken after the same step. " + about_losses(losses_of(ex), ex.truth.defined() ? noise * noise : 0,
                                                            ex.x.numel(), units.of_y.empty() ? "" : units.of_y + "²"));
  if (!ex.truth.defined()) return;
  picture("weights", weights, "Attention weights of queries over keys",
          "Queries of the first quarter of x, each a row. Keys that are near each other stand in one column, and their "
          "weights are added; where a column is empty, there is no key. " +
              about_weights(keys_seen_by_queries(ex), least_drawn(ex)));
  const Sweep all = sweep(ex);
  std::vector<std::string> names;
  for (const Kernel& kernel : four_kernels()) names.push_back(kernel.name);
  trainer.picture(
      "four_kernels", [&] { return kernels_figure(all); }, "Four kernels, and the error for each width",
      about_sweep(names, all));
}

// What of the error is noise: the training is done again on the same points with other noise.
void show_noise(Trainer& trainer) {
  const Experiment ex = synthetic(small, Generator(trainer.seed()));
  const int draws = 8;
  const std::int64_t epochs = std::min<std::int64_t>(trainer.epochs(), 1000);
  const std::vector<Redraws> all = redraw(ex, draws, epochs, trainer.learning_rate(), trainer.seed());
  for (const Redraws& model : all) {
    const Parts is = parts(model.answers, ex.truth);
    trainer.say(fmt::format("{:<26} bias {:.3f}, noise {:.3f}", model.name, is.bias, is.noise));
  }
  trainer.picture(
      "bias_and_noise", [&] { return parts_figure(all, ex.truth); },
      fmt::format("What the error is made of: {} trainings of {} epochs, each with other noise", draws, epochs),
      "Bias: how far the mean of the fits is from the truth. Noise: how far one fit is from their mean. Strokes at the "
      "dots are what chance may have moved them by. The error is the distance from the corner: on the dashed arc it is "
      "that of the best. " +
          about_parts(all, ex.truth));
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("nw_regression", "Nadaraya–Watson regression: how near is near?",
                  {.epochs = 5000,
                   .quick_epochs = 2000,
                   .learning_rate = 0.5,
                   .full_epochs = 120001,
                   .full = "6000 points to learn from, 6000 to test with, 120001 epochs"});
  std::string file;
  trainer.data("--data", file, "Two columns, x and y, instead of a known curve with noise", "FILE.csv");
  return trainer.main(argc, argv, [&] {
    const bool full = trainer.full();
    if (!file.empty()) trainer.rename("nw_regression_" + std::filesystem::path(file).stem().string());
    Experiment ex = file.empty() ? synthetic(full ? 6000 : small, Generator(trainer.seed())) : from_file(file);
    add_estimators(ex, trainer.learning_rate(), full);
    std::vector<nn::NamedMember> state;
    trainer.measures({{"epochs", ex.epochs}});
    for (int i = 2; i < 5; ++i) {
      state.push_back({fmt::format("estimator.{}", i), ex.all[i].regression});
      state.push_back({fmt::format("optimizer.{}", i), *ex.all[i].optimizer});
      trainer.measures({{fmt::format("losses.{}", i), ex.all[i].losses}});
      trainer.measures({{fmt::format("held_out.{}", i), ex.all[i].held_out}});
    }
    trainer.train(state, [&](std::int64_t epoch) {
      ex.epoch = epoch;
      if (std::ranges::count(std::array{0, 10, 30, 100}, epoch)) trainer.frame("fits", [&] { return fits(ex); });
      const double loss = step(ex);
      if (std::floor(16 * std::log(epoch + 1)) > std::floor(16 * std::log(epoch)))
        record(ex, epoch + 1);  // evenly drawn
      return loss;
    });
    for (Estimator& e : ex.all) trainer.say(fmt::format("{:<26} error {:.4f}{}", e.name, ex.error(e), ex.units.of_y));
    const double one = ex.error(ex.all[2]), each = ex.error(ex.all[3]);
    trainer.at_most("error of one learned w, in that of the average", one / ex.error(ex.all[0]), 0.9);
    if (ex.truth.defined()) trainer.at_most("error of one learned w against the truth", one, 0.35);
    if (ex.truth.defined()) trainer.at_least("error of a w for each key, in that of one w", each / one, 1.02);
    if (!full)  // where one's own part among thousands is small
      trainer.at_least("leaking: new loss, in that of training", ex.all[4].mse(ex.test_x, ex.test_y) / ex.all[4].loss(),
                       1.25);
    ex.epoch = trainer.epochs_done();
    if (ex.epochs.empty() || ex.epochs.back() < static_cast<double>(ex.epoch)) record(ex, ex.epoch);
    show(trainer, ex);
    if (file.empty() && !trainer.interrupted()) show_noise(trainer);
  });
}
