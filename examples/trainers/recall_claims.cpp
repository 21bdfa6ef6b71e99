#include "examples/trainers/recall_claims.h"

#include "examples/trainers/claims.h"
#include "tensor/ops/reduce.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>

namespace regard::recall {

namespace {

std::vector<double> diagonal(const Tensor& weights) {
  std::vector<double> result;
  for (std::int64_t i = 0; i < weights.size(0); ++i) result.push_back(weights.at({i, i}));
  return result;
}

double mean_of(const std::vector<double>& numbers, std::size_t first, std::size_t end) {
  return std::accumulate(numbers.begin() + static_cast<std::ptrdiff_t>(first),
                         numbers.begin() + static_cast<std::ptrdiff_t>(end), 0.0) /
         static_cast<double>(end - first);
}

}  // namespace

std::string title_of_weights(const Tensor& before, const Tensor& after) {
  const auto own = [](const Tensor& weights) { return mean_of(diagonal(weights), 0, diagonal(weights).size()); };
  return fmt::format("weight on a query's own key: {:.2f} at first, {:.2f} at the end", own(before), own(after));
}

std::string about_weights(const Tensor& before, const Tensor& after) {
  return fmt::format(
             "Query i belongs to key i. Equal weights would be {:.2f} each; the largest of the untrained score "
             "is {:.2f}.",
             1.0 / static_cast<double>(before.size(1)), max(before).item()) +
         (std::ranges::min(diagonal(after)) > 0.5 ? " Each query gives more than half of its weight to its own key."
                                                  : "");
}

std::string about_errors(const std::vector<double>& errors, const ErrorsByNoise& at_the_end) {
  const double first = errors.front(), last = errors.back();
  const std::size_t looks = errors.size(), quarter = looks / 4;
  // Single looks jump, so the last quarter is compared with the one before.
  const bool known = quarter > 0;
  const bool falls =
      known && mean_of(errors, looks - quarter, looks) < 0.95 * mean_of(errors, looks - 2 * quarter, looks - quarter);
  const bool learned = last < 0.5 * first;
  const bool only_noise = at_the_end.neither < 0.1 * at_the_end.both;
  const std::string parts = fmt::format(
      "without any it is {:.2g}, with noise in the queries alone {:.2g}, in the keys alone "
      "{:.2g}.",
      at_the_end.neither, at_the_end.queries, at_the_end.keys);
  return told(
      {{learned, fmt::format("The error falls from {:.2g} to {:.2g}.", first, last)},
       {!learned, fmt::format("The error is {:.2g} before and {:.2g} after: little is learned.", first, last)},
       {falls, "In the last quarter it still falls: the training has not converged."},
       {known && !falls, "In the last quarter it falls no more."},
       {learned && only_noise && !falls, "What remains is due to the noise in queries and keys: " + parts},
       {learned && only_noise && falls,
        "What is left so far comes with the noise in queries and keys, which the score learns to bear: " + parts},
       {learned && !only_noise, "Noise is not all that remains: " + parts}});
}

}  // namespace regard::recall
