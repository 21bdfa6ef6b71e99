#include "examples/trainers/bleu.h"

#include "tensor/error.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>

namespace regard {
namespace {

using Words = std::vector<std::string>;

// How often each row of n words stands in a sentence.
std::map<Words, std::int64_t> rows_of(const Words& sentence, std::int64_t n) {
  std::map<Words, std::int64_t> counts;
  for (auto begin = sentence.begin(); sentence.end() - begin >= n; ++begin) ++counts[Words(begin, begin + n)];
  return counts;
}

struct ClippedShare {
  std::int64_t right = 0, of = 0;
};

void count(const Translated& one, std::int64_t n, ClippedShare& share) {
  std::map<Words, std::int64_t> most;  // in one of the right translations
  for (const Words& right : one.right)
    for (const auto& [row, times] : rows_of(right, n)) most[row] = std::max(most[row], times);
  for (const auto& [row, times] : rows_of(one.said, n)) {
    const auto found = most.find(row);
    share.right += found == most.end() ? 0 : std::min(times, found->second);
    share.of += times;
  }
}

std::int64_t nearest_length(const Translated& one) {
  if (one.right.empty()) fail<ValueError>("bleu: there is no right translation for one of the sentences");
  const std::int64_t said = std::ssize(one.said);
  const auto distance = [&](const Words& words) { return std::pair(std::abs(std::ssize(words) - said), words.size()); };
  return std::ssize(*std::ranges::min_element(one.right, {}, distance));
}

}  // namespace

double bleu(const std::vector<Translated>& sentences, std::int64_t longest) {
  if (longest < 1) fail<ValueError>("bleu: longest = {}: it must be 1 or more", longest);
  std::int64_t said = 0, right = 0;
  for (const Translated& one : sentences) said += std::ssize(one.said), right += nearest_length(one);
  double log_precisions = 0;
  for (std::int64_t n = 1; n <= longest; ++n) {
    ClippedShare share;
    for (const Translated& one : sentences) count(one, n, share);
    if (share.right == 0) return 0;
    log_precisions += std::log(static_cast<double>(share.right) / static_cast<double>(share.of));
  }
  const double shortness = std::min(0.0, 1 - static_cast<double>(right) / static_cast<double>(said));
  return std::exp(shortness + log_precisions / static_cast<double>(longest));
}

}  // namespace regard
