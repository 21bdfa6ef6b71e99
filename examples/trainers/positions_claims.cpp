#include "examples/trainers/positions_claims.h"

#include "examples/trainers/claims.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace regard::positions {

namespace {

constexpr double rounding = 1e-9;

// How far the numbers along any diagonal differ: 0 where only the distance counts.
double unlike_along_diagonals(const Tensor& x) {
  double most = 0;
  for (std::int64_t i = 1; i < x.size(0); ++i)
    for (std::int64_t j = 1; j < x.size(1); ++j) most = std::max(most, std::abs(x.at({i, j}) - x.at({i - 1, j - 1})));
  return most;
}

bool same_distance_same_number(const Tensor& x) { return unlike_along_diagonals(x) <= rounding; }

}  // namespace

std::int64_t best_distance(const Tensor& scores) {
  const std::int64_t middle = scores.size(0) / 2;
  return static_cast<std::int64_t>(argmax(select(scores, 0, middle), 0).item()) - middle;
}

std::string about_similarity(const Tensor& dots) {
  const bool by_distance = same_distance_same_number(dots);
  return told(
      {{by_distance, "The dot product of two rows depends on their distance alone: the curves of all i are one."},
       {!by_distance,
        fmt::format("Dot products at the same distance differ by up to {:.2g}.", unlike_along_diagonals(dots))},
       {best_distance(dots) == 0, "It is largest at distance 0."}});
}

std::string about_rotary(const Tensor& with_itself, const Tensor& with_another, double off_similarity) {
  const bool by_distance = same_distance_same_number(with_itself) && same_distance_same_number(with_another);
  const std::int64_t own = best_distance(with_itself), other = best_distance(with_another);
  return told(
      {{by_distance,
        "Rotary: the same q stands at all positions, and the same k, both drawn at random, so that what is "
        "left is distance: stripes along the diagonal."},
       {own == 0, "With k = q the score is largest at distance 0."},
       {own == 0 && other != 0, fmt::format("With another k it is largest at distance {}{}: what is far can match.",
                                            other < 0 ? "−" : "", std::abs(other))},
       {off_similarity <= rounding,
        "Were all numbers of q and k 1, the score would be the curve of the picture before, times 2/√D."}});
}

std::string about_alibi(const Tensor& biases) {
  double off = 0;  // from half the slope of the head before
  for (std::int64_t head = 1; head < biases.size(0); ++head)
    off = std::max(off, std::abs(biases.at({head, 0, 1}) / biases.at({head - 1, 0, 1}) - 0.5));
  double bent = 0;  // off a straight line
  for (std::int64_t head = 0; head < biases.size(0); ++head)
    for (std::int64_t j = 1; j < biases.size(2); ++j)
      bent = std::max(bent, std::abs(biases.at({head, 0, j}) - static_cast<double>(j) * biases.at({head, 0, 1})));
  return told({{bent <= rounding, "ALiBi, with a score of 0: the bias falls in a straight line."},
               {off <= rounding, "Each head is half as steep as the one before."}});
}

}  // namespace regard::positions
