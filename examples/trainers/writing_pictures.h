#pragma once

#include "examples/plot/figure.h"

#include <string>
#include <vector>

namespace regard {

// Pictures of a model that learns to write, and what is said below them: only what the numbers show.

// Losses in nats a character, while it learns.
struct Curves {
  std::vector<double> steps, learned;     // of what it learns from, at some steps
  std::vector<double> tested_at, tested;  // of some text that it has not seen
};

// Beside n-gram models, whose losses are `counted`, n = 1 first. It ends at step `end` with `loss` on all text never
// seen.
plot::Figure loss_figure(const Curves& curves, const std::vector<double>& counted, double end, double loss);

// "better than n-grams of n = 1 to 3, and not better than those of n = 4"
std::string beaten(const std::vector<double>& counted, double loss);

// "by step 256 it has passed n-grams of n = 1 to 4": all those that it beats at the end
std::string title_of_losses(const Curves& curves, const std::vector<double>& counted, double loss);

// "With one character it is 2.69, with 64 it is 2.52; it is least with 6, 2.37: …"
std::string about_context(const std::vector<double>& losses);

// The loss at each place of a window, as a mean of all windows (N, L), against how many characters the model sees
// there, with an interval of 95 %; and the n-gram models, which see n − 1.
plot::Figure context_figure(const Tensor& losses, const std::vector<double>& counted);

}  // namespace regard
