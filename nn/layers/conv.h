#pragma once

#include "nn/layers/window.h"
#include "nn/module.h"

namespace regard::nn {

struct Conv1dOptions {
  std::int64_t in, out, kernel;
  std::int64_t stride = 1, padding = 0, dilation = 1, groups = 1;
  bool bias = true;
  DType dtype = DType::f32;
};

struct Conv2dOptions {
  std::int64_t in, out;
  Extent2d kernel;
  Extent2d stride = 1, padding = 0, dilation = 1;
  std::int64_t groups = 1;
  bool bias = true;
  DType dtype = DType::f32;
};

// What Conv2d and Conv1d have in common.
struct Convolution {
  Variable weight, bias;
  Window2d window;  // of Conv1d of height 1
  std::int64_t groups;

  void visit(Visitor& v) {
    v("weight", weight);
    v("bias", bias);
  }

 protected:
  Convolution(const char* layer, const Conv2dOptions& options, Shape kernel, Generator& generator);
};

// y(o, i, j) = b(o) + Σ_{c,k,l} w(o, c, k, l)·x(c, i·stride + k·dilation − padding, j·stride + l·dilation − padding)
//
// x (B, in, H, W) → (B, out, H′, W′), weight (out, in/groups, kernel height, kernel width), bias (out); outside of x
// are zeros. With groups, the channels are cut into so many parts, and each part of the outputs sees its part of the
// inputs. (This is a correlation, as in every library: the kernel is not turned around.) Starts as Linear does.
struct Conv2d : Convolution {
  Conv2d(const Conv2dOptions& options, Generator& generator);
  Variable operator()(const Variable& x) const;
};

// The same along one axis: x (B, in, L) → (B, out, L′), weight (out, in/groups, kernel).
struct Conv1d : Convolution {
  Conv1d(const Conv1dOptions& options, Generator& generator);
  Variable operator()(const Variable& x) const;
};

}  // namespace regard::nn
