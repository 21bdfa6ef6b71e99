#include "examples/trainers/ngram.h"

#include "tensor/error.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace regard {
namespace {

constexpr std::size_t sizes = 64;

// The shortest text of which nine tenths are as long as the longest n-gram.
int least_text(int longest) { return (10 * longest + 8) / 9; }

// 0 for 0, 1 for 1, 2 for 2 and 3, 3 for 4 to 7, …
std::size_t size_of(std::int64_t count) {
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(count)));
}

// What two models say of one character: the share of the context, and the model of the shorter context.
struct Pair {
  double share, shorter;
};

double mixed(double weight, const Pair& p) { return weight * p.share + (1 - weight) * p.shorter; }

// The λ that makes characters most likely: the maximum of Σ log(λ·aᵢ + (1 − λ)·bᵢ). Where the derivative is 0,
//
//   Σ (aᵢ − bᵢ)/(λ·aᵢ + (1 − λ)·bᵢ) = 0,   which is   λ = mean of λ·aᵢ/(λ·aᵢ + (1 − λ)·bᵢ)
//
// The right side is the part of each probability that comes from the share. Putting a λ in, and what comes out in
// again, never makes the text less likely, and leads to the maximum: there is only one, since log is concave. (It is
// the EM algorithm.) One more character is added of which the share knew nothing, so that λ stays below 1 and no
// probability is 0.
double best_weight(const std::vector<Pair>& pairs) {
  double weight = 0.5;
  for (int round = 0; round < 40; ++round) {
    double from_share = 0;
    for (const Pair& p : pairs) from_share += weight * p.share / mixed(weight, p);
    weight = from_share / static_cast<double>(pairs.size() + 1);
  }
  return weight;
}

}  // namespace

NgramModels::NgramModels(std::string_view text, int longest, std::int64_t characters)
    : longest_(longest), characters_(characters) {
  if (longest < 1 || characters < 1)
    fail<ValueError>("NgramModels: longest = {}, characters = {}: both must be at least 1", longest, characters);
  const std::size_t border = text.size() * 9 / 10;  // of what is counted, and what is held out
  if (border < static_cast<std::size_t>(longest))
    fail<ValueError>("NgramModels: {} characters are too few for n-grams of n = {}: there must be {}", text.size(),
                     longest, least_text(longest));
  count(text.substr(0, border), 0);
  choose_weights(text, border);
  count(text, border + 1);
}

void NgramModels::count(std::string_view text, std::size_t from) {
  counted_ = text;
  for (std::size_t end = from; end <= text.size(); ++end)
    for (std::size_t length = 0; length <= std::min(end, static_cast<std::size_t>(longest_)); ++length)
      ++counts_[text.substr(end - length, length)];
}

std::int64_t NgramModels::times(std::string_view characters) const {
  const auto found = counts_.find(characters);
  return found == counts_.end() ? 0 : found->second;
}

// Nothing follows the end of the text.
std::int64_t NgramModels::times_as_context(std::string_view characters) const {
  return times(characters) - (counted_.ends_with(characters) ? 1 : 0);
}

NgramModels::Seen NgramModels::seen(std::string_view text, std::size_t place, int n) const {
  const auto before = static_cast<std::size_t>(n - 1);
  if (place < before) return {0, 0};  // the text begins later than the context
  const std::int64_t context = times_as_context(text.substr(place - before, before));
  if (context == 0) return {0, 0};
  const std::int64_t both = times(text.substr(place - before, before + 1));
  return {context, static_cast<double>(both) / static_cast<double>(context)};
}

void NgramModels::choose_weights(std::string_view text, std::size_t from) {
  weights_.assign(static_cast<std::size_t>(longest_) + 1, std::vector<double>(sizes));
  std::vector<double> shorter(text.size() - from, 1 / static_cast<double>(characters_));
  for (int n = 1; n <= longest_; ++n) {
    std::vector<std::vector<Pair>> of_size(sizes);
    std::vector<Seen> what(shorter.size());
    for (std::size_t i = 0; i < what.size(); ++i) {
      what[i] = seen(text, from + i, n);
      of_size[size_of(what[i].context)].push_back({what[i].share, shorter[i]});
    }
    std::vector<double>& weights = weights_[static_cast<std::size_t>(n)];
    for (std::size_t size = 1; size < sizes; ++size)  // one that does not occur is weighted like the one below
      weights[size] = of_size[size].empty() ? weights[size - 1] : best_weight(of_size[size]);
    for (std::size_t i = 0; i < what.size(); ++i)
      shorter[i] = mixed(weight(n, what[i].context), {what[i].share, shorter[i]});
  }
}

double NgramModels::weight(int n, std::int64_t count) const {
  return weights_.at(static_cast<std::size_t>(n))[size_of(count)];
}

std::vector<double> NgramModels::probabilities(std::string_view text, std::size_t place) const {
  std::vector<double> p{1 / static_cast<double>(characters_)};
  for (int n = 1; n <= longest_; ++n) {
    const Seen what = seen(text, place, n);
    p.push_back(mixed(weight(n, what.context), {what.share, p.back()}));
  }
  return p;
}

std::vector<double> NgramModels::losses(std::string_view text, std::size_t from) const {
  std::vector<double> sums(static_cast<std::size_t>(longest_));
  for (std::size_t place = from; place < text.size(); ++place) {
    const std::vector<double> p = probabilities(text, place);
    for (std::size_t n = 0; n < sums.size(); ++n) sums[n] -= std::log(p[n + 1]);
  }
  for (double& sum : sums) sum /= static_cast<double>(text.size() - from);
  return sums;
}

}  // namespace regard
