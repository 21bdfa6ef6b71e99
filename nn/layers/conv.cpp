#include "nn/layers/conv.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/join.h"
#include "autograd/ops/matmul.h"
#include "autograd/ops/view.h"
#include "nn/init.h"
#include "nn/layers/require.h"

namespace regard::nn {
namespace {

// A convolution is one matrix product: the columns of one matrix are the windows of the whole batch, written out, and
// the rows of the other are the kernels.  x (B, C, H, W), weight (O, C/G, kernel height, kernel width)
Variable convolve(const char* layer, const Variable& x, const Variable& weight, const Variable& bias,
                  const Window2d& window, std::int64_t groups) {
  const auto elements = window_elements(layer, permute(x, {1, 0, 2, 3}), window, 0);  // each (C, B, H′, W′)
  const Shape& made = elements.front().shape();
  const std::int64_t out = weight.size(0), batch = made[1], height = made[2], width = made[3];
  const std::int64_t terms = weight.numel() / out;  // C/G · kernel height · kernel width
  const Variable columns = reshape(stack(elements, 1), {groups, terms, batch * height * width});
  const Variable kernels = reshape(weight, {groups, out / groups, terms});
  const Variable y = permute(reshape(matmul(kernels, columns), {out, batch, height, width}), {1, 0, 2, 3});
  return bias.defined() ? y + reshape(bias, {out, 1, 1}) : y;
}

}  // namespace

Convolution::Convolution(const char* layer, const Conv2dOptions& o, Shape shape, Generator& generator)
    : window{o.kernel, o.stride, o.padding, o.dilation}, groups(o.groups) {
  require_positive(layer, {{"in", o.in}, {"out", o.out}, {"groups", groups}});
  if (o.in % groups != 0 || o.out % groups != 0)
    fail<ValueError>("{}: groups = {} must divide in = {} and out = {}", layer, groups, o.in, o.out);
  require_window(layer, window);
  shape.insert(0, o.in / groups);
  shape.insert(0, o.out);
  const std::int64_t fan_in = init::fans(shape).in;
  weight = parameter(init::layer_default(shape, fan_in, generator, o.dtype));
  if (o.bias) bias = parameter(init::layer_default({o.out}, fan_in, generator, o.dtype));
}

Conv2d::Conv2d(const Conv2dOptions& o, Generator& generator)
    : Convolution("Conv2d", o, {o.kernel.height, o.kernel.width}, generator) {}

Variable Conv2d::operator()(const Variable& x) const {
  require_defined("Conv2d", x);
  const std::int64_t in = weight.size(1) * groups;
  if (x.rank() != 4 || x.size(1) != in) fail<ShapeError>("Conv2d: {}: needs (B, {}, H, W)", x.shape(), in);
  return convolve("Conv2d", x, weight, bias, window, groups);
}

Conv1d::Conv1d(const Conv1dOptions& o, Generator& generator)
    : Convolution("Conv1d",
                  {.in = o.in,
                   .out = o.out,
                   .kernel = {1, o.kernel},
                   .stride = {1, o.stride},
                   .padding = {0, o.padding},
                   .dilation = {1, o.dilation},
                   .groups = o.groups,
                   .bias = o.bias,
                   .dtype = o.dtype},
                  {o.kernel}, generator) {}

Variable Conv1d::operator()(const Variable& x) const {
  require_defined("Conv1d", x);
  const std::int64_t in = weight.size(1) * groups;
  if (x.rank() != 3 || x.size(1) != in) fail<ShapeError>("Conv1d: {}: needs (B, {}, L)", x.shape(), in);
  return squeeze(convolve("Conv1d", unsqueeze(x, 2), unsqueeze(weight, 2), bias, window, groups), 2);
}

}  // namespace regard::nn
