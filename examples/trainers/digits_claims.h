#pragma once

#include "tensor/tensor.h"

#include <cstdint>
#include <string>

// What the captions of 10 say of a model that reads digits. Each sentence follows from the numbers that are given.
namespace regard::digits {

// How the class token looks, of each image and head: at the patches (B, H, rows, columns) and at itself (B, H); and how
// much ink is in each patch (B, rows, columns).
std::string title_of_looks(const Tensor& at_patches, const Tensor& ink);
std::string about_looks(const Tensor& at_patches, const Tensor& at_itself, const Tensor& ink);

// What each image was read as, and what it is.
std::string title_of_mistakes(const Tensor& guesses, const Tensor& labels);
std::string about_mistakes(const Tensor& guesses, const Tensor& labels);

}  // namespace regard::digits
