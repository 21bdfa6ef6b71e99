#include "examples/trainers/scale_claims.h"

#include "examples/trainers/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace regard {

namespace {

bool near(double a, double b, double share) { return std::abs(a - b) <= share * std::abs(b); }

bool variance_is_d(const std::vector<double>& sizes, const std::vector<double>& variance) {
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (!near(variance[i], sizes[i], 0.1)) return false;
  return true;
}

// The first size from which on nothing is farther than a tenth from its last value; the last size itself if there is
// none before.
double steady_from(const std::vector<double>& sizes, const BySize& of) {
  std::size_t first = sizes.size() - 1;
  for (std::size_t i = first; i-- > 0;) {
    bool steady = true;
    for (const auto* numbers : {&of.variance, &of.entropy, &of.gradient})
      steady = steady && near((*numbers)[i], numbers->back(), 0.1);
    if (!steady) break;
    first = i;
  }
  return sizes[first];
}

}  // namespace

std::string title_of_the_scale(const BySize& scaled) {
  const auto [least, most] = std::ranges::minmax(scaled.variance);
  return fmt::format("divided by √D, scores have a variance from {:.2f} to {:.2f} at every D", least, most);
}

std::string about_the_scale(const std::vector<double>& sizes, const BySize& bare, const BySize& scaled) {
  const double last = sizes.back(), from = steady_from(sizes, scaled);
  const auto longest = std::ranges::max_element(bare.gradient);
  const double where = sizes[static_cast<std::size_t>(longest - bare.gradient.begin())];
  return told(
      {{variance_is_d(sizes, bare.variance), "Without the scale the variance of the scores is D."},
       {bare.largest.back() > 0.8,
        fmt::format("At D = {} one key takes {:.0f} % of the weight; with the scale it takes {:.0f} %.", last,
                    100 * bare.largest.back(), 100 * scaled.largest.back())},
       {bare.gradient.back() < 0.5 * scaled.gradient.back(),
        fmt::format("Where one key has nearly all, softmax is flat, and little gradient comes back: without the scale "
                    "it is longest at D = {}, and at D = {} it is {:.1f} times shorter than with the scale.",
                    where, last, scaled.gradient.back() / bare.gradient.back())},
       {from == sizes.front(), "With 1/√D all three curves stay within a tenth of one value, whatever D."},
       {from > sizes.front() && from < last,
        fmt::format("With 1/√D all three curves stay within a tenth of one value from D = {} on.", from)}});
}

}  // namespace regard
