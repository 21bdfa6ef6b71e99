#pragma once

#include "nn/attention/mask.h"

// Which axes marks of a mask have, and whether they fit scores (…, Lq, Lk).
namespace regard::nn::mask_axes {

// The shape of marks with their axes where the scores have them: (B, Lk) → (B, 1, Lk), and beside heads (B, 1, 1, Lk).
Shape beside_scores(Shape marks, MaskAxes axes, const Shape& scores);

template <class T>  // of Tensors and Variables alike
T aligned(const T& x, const Shape& scores, MaskAxes axes) {
  const Shape beside = beside_scores(x.shape(), axes, scores);
  return beside == x.shape() ? x : reshape(x, beside);
}

// Both throw in the name of a mask: unless marks fit, and can be read in one way only; unless each is 0 or 1.
void require_fit(const std::string& name, const Shape& marks, const Shape& scores, MaskAxes axes);
void require_marks(const std::string& name, const Tensor& marks);

}  // namespace regard::nn::mask_axes
