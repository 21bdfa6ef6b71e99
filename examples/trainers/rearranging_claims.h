#pragma once

#include "tensor/tensor.h"

#include <string>
#include <vector>

// What the captions of 09 say of models that rearrange digits. Each sentence follows from the numbers that are given.
namespace regard::rearranging {

// How often a model can be right at best that reverses `length` digits, an even number of them, and does not know where
// anything stands: 0.317 for 8 digits of 10. At each place it knows the digit there, and which digits are in the whole
// sequence. The digit that it is asked for, that of the mirrored place, is any of the others with equal chances, so the
// best guess is the one that occurs most often among them.
double ceiling_without_positions(int length, int digits);
std::string about_accuracy(double without_positions, double ceiling);

// How the last layer looks at many sequences: weights (B, H, L, L), and the digits (B, L).
std::string about_mirror_images(const Tensor& weights);
std::string title_of_sorting(const std::vector<Tensor>& layers, const Tensor& digits);  // weights of both layers
std::string about_digits_looked_at(const Tensor& weights, const Tensor& digits);

// All heads on one sequence, (…, L, L), of digits (L) that are to be reversed.
std::string about_equal_digits(const Tensor& weights, const Tensor& digits);

// What is known of each head: the slope of the loss at its mask, and the model without it.
struct Importance {
  std::vector<std::string> names;
  std::vector<double> slopes, losses, accuracies;
  double whole_loss = 0, whole_accuracy = 0;  // with all heads
};
std::string about_importance(const Importance& heads);

}  // namespace regard::rearranging
