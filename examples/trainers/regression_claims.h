#pragma once

#include "examples/trainers/regression.h"

#include <string>
#include <vector>

// What the captions of 06 say of one run. Each sentence follows from the numbers that are given. Letters a to e are
// those of the pictures: the average, a fixed width, one that is learned, one for each key, and the same with the leak.
namespace regard::regression {

std::string short_number(double x);  // about three digits: 0.123, 1.23, 12.3, 123

// Errors of a to e on what is held out, or against the truth.
std::string title_of_fits(const std::vector<double>& errors, bool from_truth);  // of c to e, which are drawn
std::string about_fits(const std::vector<double>& errors, const std::string& unit);

// Widths σ while they are learned: that of all points, and those of the keys. All were `start`.
std::string about_widths(double one, const std::vector<double>& each, double start, const std::string& unit);

// How many keys with equal weights would be as many as those a query looks at: 1/Σα², for b to e.
double keys_seen(const Tensor& weights);                             // (Lq, Lk); the mean over queries
std::string title_of_weights(const std::vector<double>& keys_seen);  // of b and c
// `least_drawn`: the smallest sum of a row of the picture.
std::string about_weights(const std::vector<double>& keys_seen, double least_drawn);

// Losses of a model after each of some epochs.
struct Losses {
  std::string name;
  std::vector<double> epochs, training, held_out;
};
std::string title_of_losses(const std::vector<Losses>& all, const std::string& unit);
// Whatever the model, the loss cannot fall below `floor` on new data but by chance; 0 where it is not known. `points`
// were learned from. `all`: c to e.
std::string about_losses(const std::vector<Losses>& all, double floor, std::int64_t points, const std::string& unit);

}  // namespace regard::regression
