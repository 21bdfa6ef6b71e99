#include "examples/trainers/digits_claims.h"

#include "examples/trainers/claims.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace regard::digits {

namespace {

double percent(double share) { return 100 * share; }

// Of the weight that is on patches, the share that is on those without ink.
double share_of_empty(const Tensor& at_patches, const Tensor& ink) {
  const Tensor empty = to(equal(ink, 0), DType::f64);
  return sum(mean(to(at_patches, DType::f64), 1) * empty).item() / sum(mean(at_patches, 1)).item();
}

struct Mistakes {
  std::size_t of = 0;                   // so many were read
  int count = 0, most = 0;              // all mistakes, and those of the most frequent kind
  std::vector<std::string> worst = {};  // the most frequent kinds: "8 read as 1"
};
Mistakes mistakes_of(const Tensor& guesses, const Tensor& labels) {
  const std::vector<double> read = to_vector(guesses), right = to_vector(labels);
  std::map<std::pair<int, int>, int> mistakes;  // how often one digit was read as another
  Mistakes result{.of = read.size()};
  for (std::size_t i = 0; i < read.size(); ++i)
    if (read[i] != right[i]) {
      ++result.count;
      result.most = std::max(result.most, ++mistakes[{static_cast<int>(right[i]), static_cast<int>(read[i])}]);
    }
  for (const auto& [pair, times] : mistakes)
    if (times == result.most) result.worst.push_back(fmt::format("{} read as {}", pair.first, pair.second));
  return result;
}

}  // namespace

std::string title_of_looks(const Tensor& at_patches, const Tensor& ink) {
  return fmt::format("the class token looks {}",
                     share_of_empty(at_patches, ink) < 0.05 ? "where there is ink" : "at empty patches, too");
}

std::string about_looks(const Tensor& at_patches, const Tensor& at_itself, const Tensor& ink) {
  return fmt::format(
      "The class token gives {:.0f} % of its weight to itself, in the mean of the heads and of {} images. Patches "
      "without any ink, {:.0f} % of all, get {:.0f} % of what is left.",
      percent(mean(at_itself).item()), at_patches.size(0), percent(mean(to(equal(ink, 0), DType::f64)).item()),
      percent(share_of_empty(at_patches, ink)));
}

std::string title_of_mistakes(const Tensor& guesses, const Tensor& labels) {
  const auto [of, count, most, worst] = mistakes_of(guesses, labels);
  return fmt::format("{} of {} right{}", static_cast<int>(of) - count, of,
                     most > 1 && worst.size() == 1 ? "; most often: " + worst[0] : "");
}

std::string about_mistakes(const Tensor& guesses, const Tensor& labels) {
  const auto [of, count, most, worst] = mistakes_of(guesses, labels);
  const bool alone = worst.size() == 1;
  return told(
      {{count == 0, fmt::format("All {} digits are read right.", of)},
       {count > 0, fmt::format("Of {} digits {} {} misread.", of, count, count == 1 ? "is" : "are")},
       {most > 1, fmt::format("The most frequent mistake{}: {}.",
                              alone ? fmt::format(", in {} images", most) : fmt::format("s, in {} images each", most),
                              fmt::join(worst, ", and "))},
       {most == 1 && count > 1, "No two mistakes are alike."}});
}

}  // namespace regard::digits
