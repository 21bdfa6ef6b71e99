#include "examples/trainers/rearranging_claims.h"

#include "examples/trainers/claims.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/order.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace regard::rearranging {

namespace {

double percent(double share) { return 100 * share; }

// In how many sequences of `length` digits none occurs more than `most` times. The digits come one after the other:
// the first of them takes some of the free places, the next some of those that are left.
double sequences_with_at_most(int most, int length, int digits) {
  std::vector<double> ways(static_cast<std::size_t>(length) + 1, 0.0);  // to fill so many places
  ways[0] = 1;
  for (int digit = 0; digit < digits; ++digit)
    for (int filled = length; filled > 0; --filled) {
      double sum = 0, choices = 1;  // choices: which `own` of the filled places are this digit's
      for (int own = 0; own <= std::min(most, filled); ++own) {
        sum += choices * ways[static_cast<std::size_t>(filled - own)];
        choices = choices * (filled - own) / (own + 1);
      }
      ways[static_cast<std::size_t>(filled)] = sum;
    }
  return ways[static_cast<std::size_t>(length)];
}

}  // namespace

double ceiling_without_positions(int length, int digits) {
  const int others = length - 1;
  // The mean of how often the most frequent one occurs: the sum of the chances that it does more than 0, 1, … times.
  double mean = 0;
  for (int most = 0; most < others; ++most)
    mean += 1 - sequences_with_at_most(most, others, digits) / std::pow(digits, others);
  return mean / others;
}

std::string about_accuracy(double without_positions, double ceiling) {
  const double off = without_positions - ceiling, chance = 0.03;  // about what 200 sequences leave open
  return fmt::format(
             "Without positions a sequence is a bag of digits. A place knows its own digit, and which are in the bag; "
             "the best guess at its mirror image is the most frequent of the seven others. In the mean over all "
             "sequences that is right in {:.3f} of the cases, and nothing without positions is better: the dashed "
             "line. "
             "The sequences tried are 200, so a curve may stray above it by chance.",
             ceiling) +
         " " +
         told({{std::abs(off) <= chance,
                fmt::format("The model without positions reaches {:.3f}, as much as there is to reach.",
                            without_positions)},
               {off < -chance, fmt::format("The model without positions has come to {:.3f} only.", without_positions)},
               {off > chance,
                fmt::format("The model without positions reaches {:.3f}: it must know something of positions.",
                            without_positions)}});
}

std::string about_mirror_images(const Tensor& weights) {
  const std::int64_t sequences = weights.size(0), heads = weights.size(1), length = weights.size(2);
  std::int64_t mirroring = 0;
  double least = 1, most = 0;
  for (std::int64_t head = 0; head < heads; ++head) {
    double sum = 0;
    for (std::int64_t b = 0; b < sequences; ++b)
      for (std::int64_t i = 0; i < length; ++i) sum += weights.at({b, head, i, length - 1 - i});
    const double share = sum / static_cast<double>(sequences * length);
    mirroring += share > 0.5;
    least = std::min(least, share), most = std::max(most, share);
  }
  const std::string measured = fmt::format(
      "In the mean over {} sequences a head of the second layer puts {:.0f} to {:.0f} % of its weight there.",
      sequences, percent(least), percent(most));
  return told({{mirroring == heads,
                "In the second layer all heads look at the mirror image of a place, whatever digits stand there: the "
                "other diagonal."},
               {mirroring > 0 && mirroring < heads,
                fmt::format("In the second layer {} of {} heads look at the mirror image of a place, whatever digits "
                            "stand there: the other diagonal.",
                            mirroring, heads)},
               {mirroring == 0,
                "The mirror image of a place is on the other diagonal. No head of the second layer gives it more than "
                "half of its weight."},
               {true, measured}});
}

std::string title_of_sorting(const std::vector<Tensor>& layers, const Tensor& digits) {
  const Tensor holds_it = equal(unsqueeze(sort(digits, 1), 2), unsqueeze(digits, 1));  // (B, L, L): which keys do
  const auto share = [&](const Tensor& weights) {
    return percent(mean(sum(mean(weights, 1) * to(holds_it, weights.dtype()), 2)).item());
  };
  return fmt::format("to sort: weight on the digit to write {:.0f} % in layer 1, {:.0f} % in layer 2", share(layers[0]),
                     share(layers[1]));
}

std::string about_digits_looked_at(const Tensor& weights, const Tensor& digits) {
  const std::int64_t sequences = weights.size(0), heads = weights.size(1), length = weights.size(2);
  const auto mean_digit = [&](std::int64_t place) {
    double sum = 0;
    for (std::int64_t b = 0; b < sequences; ++b)
      for (std::int64_t head = 0; head < heads; ++head)
        for (std::int64_t j = 0; j < length; ++j) sum += weights.at({b, head, place, j}) * digits.at({b, j});
    return sum / static_cast<double>(sequences * heads);
  };
  const double first = mean_digit(0), last = mean_digit(length - 1);
  const std::string means = fmt::format("{:.1f} at the first place of the answer and {:.1f} at the last", first, last);
  return told({{last - first >= 1,
                "Where it looks depends on the digits: the first places of the answer look at smaller ones than the "
                "last, wherever they stand. In the second layer the digits looked at have a mean of " +
                    means + "."},
               {std::abs(last - first) < 1, "In the second layer the digits looked at have a mean of " + means +
                                                ": small and large ones are hardly told apart there."},
               {last - first <= -1,
                "Where it looks depends on the digits, but the other way round: the first places of the answer look at "
                "larger ones than the last. In the second layer the digits looked at have a mean of " +
                    means + "."}});
}

std::string about_equal_digits(const Tensor& weights, const Tensor& digits) {
  const std::int64_t length = digits.size(0);
  const Tensor all = reshape(contiguous(weights), {-1, length, length});
  double difference = 0;
  bool twice = false, other_answers = false;
  for (std::int64_t i = 0; i < length; ++i)
    for (std::int64_t j = 0; j < i; ++j) {
      if (digits.at({i}) != digits.at({j})) continue;
      twice = true;
      other_answers = other_answers || digits.at({length - 1 - i}) != digits.at({length - 1 - j});
      for (std::int64_t head = 0; head < all.size(0); ++head)
        for (std::int64_t k = 0; k < length; ++k) {
          difference = std::max(difference, std::abs(all.at({head, i, k}) - all.at({head, j, k})));
          difference = std::max(difference, std::abs(all.at({head, k, i}) - all.at({head, k, j})));
        }
    }
  const bool alike = difference <= 1e-4;
  return told({{twice && alike, "Rows of the same input digit are alike, and so are columns, wherever they stand."},
               {twice && alike && other_answers, "Their answers differ: the mirror image of a place cannot be found."},
               {twice && !alike,
                fmt::format("Rows or columns of the same digit differ by up to {:.2f}: something tells their places.",
                            difference)},
               {!twice, "No digit stands twice in this sequence."}});
}

std::string about_importance(const Importance& heads) {
  const auto least_accurate = std::ranges::min_element(heads.accuracies) - heads.accuracies.begin();
  const auto largest_loss = std::ranges::max_element(heads.losses) - heads.losses.begin();
  const auto steepest = std::ranges::max_element(heads.slopes) - heads.slopes.begin();
  const auto name = [&](std::ptrdiff_t i) { return heads.names[static_cast<std::size_t>(i)]; };
  const double least = heads.accuracies[static_cast<std::size_t>(least_accurate)];
  const bool rises = heads.losses[static_cast<std::size_t>(largest_loss)] > heads.whole_loss;
  const bool spare = heads.whole_accuracy - least < 0.02;
  return told(
      {{spare, fmt::format("No single head is needed: of the answers {:.1f} % are right with all, and {:.1f} % or more "
                           "without any one of them.",
                           percent(heads.whole_accuracy), percent(least))},
       {!spare, fmt::format("Not all can be spared: of the answers {:.1f} % are right with all heads, and "
                            "{:.1f} % without head {}.",
                            percent(heads.whole_accuracy), percent(least), name(least_accurate))},
       {!rises, fmt::format("Head {} has the steepest slope, but there is no head without which the loss rises.",
                            name(steepest))},
       {rises && steepest == largest_loss,
        fmt::format("Head {} has the steepest slope, and without it the loss rises most.", name(steepest))},
       {rises && steepest != largest_loss,
        fmt::format("The slope is steepest at head {}, but the loss rises most without head {}: what a little "
                    "less of a head would do says little about what happens without it.",
                    name(steepest), name(largest_loss))}});
}

}  // namespace regard::rearranging
