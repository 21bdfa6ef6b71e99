#include "examples/trainers/regression_claims.h"

#include "examples/trainers/claims.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

namespace regard::regression {

namespace {

// To a fiftieth: what is nearer than that is called alike.
bool less(double a, double b) { return a < 0.98 * b; }
bool alike(double a, double b) { return !less(a, b) && !less(b, a); }

// A width that was not trained may differ from `start` in its last digits.
constexpr double rounding = 1e-6;
bool narrower(double now, double start) { return now < (1 - rounding) * start; }

double share(std::ptrdiff_t count, std::size_t all) { return static_cast<double>(count) / static_cast<double>(all); }

// "40 % are", but not "100 % are" where some are not, nor "0 % are" where some are.
std::string so_many_are(std::ptrdiff_t count, std::size_t all) {
  const double percent = std::round(100 * share(count, all));
  const std::ptrdiff_t others = static_cast<std::ptrdiff_t>(all) - count;
  if (count == 0) return "none are";
  if (others == 0) return "all are";
  if (percent == 0) return fmt::format("{} {}", count, count == 1 ? "is" : "are");
  if (percent == 100) return fmt::format("all but {} are", others);
  return fmt::format("{:.0f} % are", percent);
}

constexpr std::array names{"the mean of all", "the fixed width", "one learned width", "a width for each key",
                           "the widths that see themselves"};

// Of the errors from the `first` on: "error has one learned width". `from`: what they are measured from, or nothing.
std::string best_of(const std::vector<double>& errors, std::size_t first = 0, const std::string& from = "") {
  const double least = *std::min_element(errors.begin() + static_cast<std::ptrdiff_t>(first), errors.end());
  std::vector<std::string> best;
  for (std::size_t i = first; i < errors.size(); ++i)
    if (alike(errors[i], least)) best.push_back(names[i]);
  if (best.size() == 1) return fmt::format("error{} has {}", from, best[0]);
  const std::string last = best.back();
  best.pop_back();
  return fmt::format("errors{}, alike to a fiftieth, have {} and {}", from, fmt::join(best, ", "), last);
}

std::string in_training_and_after(const Losses& of, const std::string& unit) {
  return fmt::format("{}{} in training, {}{} on new data", short_number(of.training.back()), unit,
                     short_number(of.held_out.back()), unit);
}

}  // namespace

std::string short_number(double x) {
  const double size = std::abs(x);
  return fmt::format("{:.{}f}", x, size < 1 ? 3 : size < 10 ? 2 : size < 100 ? 1 : 0);
}

std::string title_of_fits(const std::vector<double>& errors, bool from_truth) {
  return "the least " + best_of(errors, 2, from_truth ? " from the truth" : "");
}

std::string about_fits(const std::vector<double>& errors, const std::string& unit) {
  const double b = errors[1], c = errors[2], d = errors[3], e = errors[4];
  const std::string fixed =
      fmt::format("the fixed one: {}{} against {}{}", short_number(c), unit, short_number(b), unit);
  return told({{less(c, b), "One learned width is better than " + fixed + "."},
               {alike(c, b), "One learned width is about as good here as " + fixed + "."},
               {less(b, c), "One learned width is worse here than " + fixed + "."},
               {less(c, d), "A width for each key is worse than one."},
               {alike(c, d), "A width for each key is about as good as one."},
               {less(d, c), "A width for each key is better than one."},
               {less(d, e), "Where points see themselves it is worse than where they do not."},
               {less(e, d), "Where points see themselves it is better here than where they do not."},
               {true, "The least " + best_of(errors) + "."}});
}

std::string about_widths(double one, const std::vector<double>& each, double start, const std::string& unit) {
  const auto count = std::ranges::count_if(each, [&](double w) { return narrower(w, start); });
  const bool all = count == std::ssize(each);
  const std::string now = fmt::format("The one width is {:.2g}{}, and was {:.2g}{}", one, unit, start, unit);
  return told({{narrower(one, start), now + ": it has narrowed."},
               {!narrower(one, start), now + ": it has not narrowed."},
               {all, "The widths of the keys are all narrower than at the start."},
               {!all, fmt::format("Of the widths of the keys {} narrower than at the start.",
                                  so_many_are(count, each.size()))}});
}

double keys_seen(const Tensor& weights) { return mean(1.0 / sum(square(weights), -1)).item(); }

std::string title_of_weights(const std::vector<double>& keys_seen) {
  return fmt::format("a query uses as many as {:.0f} keys before training, {:.0f} after", keys_seen[0], keys_seen[1]);
}

std::string about_weights(const std::vector<double>& keys_seen, double least_drawn) {
  const double before = keys_seen[0], most = *std::max_element(keys_seen.begin() + 1, keys_seen.end());
  return told(
      {{least_drawn > 0.995, "Each row sums to one."},
       {least_drawn <= 0.995, fmt::format("Of each row at least {:.0f} % is drawn, and the rest is farther right.",
                                          100 * std::floor(100 * least_drawn) / 100)},
       {true,
        fmt::format("Before training the weights of a query are as spread as equal weights of {:.1f} keys, and "
                    "after it as those of {:.1f} with one width, {:.1f} with one for each key and {:.1f} if it leaks.",
                    before, keys_seen[1], keys_seen[2], keys_seen[3])},
       {most < before, "Training narrows the diagonal: fewer neighbours, larger weights."},
       {most >= before, "Not all three look at fewer keys after training."}});
}

std::string title_of_losses(const std::vector<Losses>& all, const std::string& unit) {
  return "where points see themselves: " + in_training_and_after(all.back(), unit);
}

std::string about_losses(const std::vector<Losses>& all, double floor, std::int64_t points, const std::string& unit) {
  std::vector<std::string> rising, below;
  // The mean of n squares of noise is within this share of what it comes to, in 19 of 20 cases.
  const double chance = 2 * std::sqrt(2.0 / static_cast<double>(points));
  for (const Losses& model : all) {
    const auto least = std::ranges::min_element(model.held_out);
    const double last = model.held_out.back();
    if (last > 1.01 * *least)
      rising.push_back(fmt::format("{} from epoch {} on, from {}{} to {}{}", model.name,
                                   model.epochs[static_cast<std::size_t>(least - model.held_out.begin())],
                                   short_number(*least), unit, short_number(last), unit));
    if (model.training.back() < (1 - chance) * floor)
      below.push_back(fmt::format("{}, with {}", model.name, short_number(model.training.back())));
  }
  const Losses& leaking = all.back();
  const double promised = leaking.training.back(), kept = leaking.held_out.back();
  const std::string numbers = in_training_and_after(leaking, unit);
  const bool every = rising.size() == all.size();
  return told(
      {{kept > 1.25 * promised,
        "Where points see themselves, training promises what new data do not keep: " + numbers + "."},
       {kept <= 1.25 * promised,
        "Where points see themselves, new data keep here what training promises: " + numbers + "."},
       {!rising.empty(), fmt::format("On held-out data {} rises again: {}.", every ? "every loss" : "the loss",
                                     fmt::join(rising, "; "))},
       {rising.empty(), "On held-out data no loss rises again."},
       {!below.empty(), fmt::format("In training these end below the noise by more than chance, so they fit the noise: "
                                    "{}.",
                                    fmt::join(below, ", "))}});
}

}  // namespace regard::regression
