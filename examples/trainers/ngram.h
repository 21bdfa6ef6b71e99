#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace regard {

// Models of text that only count. They are older than neural ones (Shannon 1948), learn in a second, and are what a
// neural one has to be better than.
//
// An n-gram model looks at the n − 1 characters before the one that is to come: the context h. How often did each c
// follow h in the training text? That share, count(hc)/count(h), is the better the longer h is; but most long contexts
// were seen once, or never, and then it says little. So it is mixed with what the next shorter context says, which is
// mixed with the next, down to all V characters alike (Jelinek and Mercer 1980):
//
//   p₀(c) = 1/V        pₙ(c|h) = λ·count(hc)/count(h) + (1 − λ)·pₙ₋₁(c|h without its first character)
//
// The weight λ is a number for each n and each size of count(h), 1, 2 to 3, 4 to 7, …: a context that was seen more
// often can be trusted more. After a context that was never seen λ is 0.
//
// The weights cannot be chosen on the text that was counted, since there each count(hc) is at least 1, and the longest
// context would always look best. So the last tenth of the training text is held out: the rest is counted, and the
// weights are those that make what was held out most likely. Then what was held out is counted too.
class NgramModels {
 public:
  // All n from 1 to `longest`. A character is one byte, and there are V of them. The text must outlive the models.
  NgramModels(std::string_view text, int longest, std::int64_t characters);

  int longest() const { return longest_; }

  // p₀(c|h), …, p_longest(c|h), where c = text[place], and h is what stands before it in the text.
  std::vector<double> probabilities(std::string_view text, std::size_t place) const;

  // −log pₙ of the characters from a place on to the end of the text, as a mean: [n − 1] is that of pₙ, in nats.
  std::vector<double> losses(std::string_view text, std::size_t from) const;

  double weight(int n, std::int64_t count) const;  // λ, where the context was seen so often

 private:
  void count(std::string_view text, std::size_t from);  // what ends at this place or later
  void choose_weights(std::string_view text, std::size_t from);
  std::int64_t times(std::string_view characters) const;
  std::int64_t times_as_context(std::string_view characters) const;

  struct Seen {
    std::int64_t context;  // count(h)
    double share;          // count(hc)/count(h); 0 if h was never seen
  };
  Seen seen(std::string_view text, std::size_t place, int n) const;

  int longest_;
  std::int64_t characters_;
  std::string_view counted_;
  std::unordered_map<std::string_view, std::int64_t> counts_;  // of all that is 0 to `longest` characters long
  std::vector<std::vector<double>> weights_;                   // [n][size of count(h)]
};

}  // namespace regard
