#include "tensor/tensor.h"

#include "tensor/loops/map.h"

#include <cmath>

namespace regard {

bool Tensor::is_contiguous() const {
  std::int64_t expected = 1;
  for (int axis = rank() - 1; axis >= 0; --axis) {
    if (shape_[axis] == 0) return true;  // nothing to lie anywhere
    if (shape_[axis] == 1) continue;     // the stride of a single element is never used
    if (strides_[axis] != expected) return false;
    expected *= shape_[axis];
  }
  return true;
}

void Tensor::refuse(DType asked) const {
  if (!buffer_) fail<ValueError>("data: the tensor has no value yet");
  fail<DTypeError>("data: asked for {} of a tensor of {}", asked, dtype_);
}

double Tensor::item() const {
  if (numel() != 1) fail<ShapeError>("item: {} holds {} elements, not one", shape_, numel());
  if (dtype_ == DType::bf16) return widened(*data<BFloat16>());
  return dispatch(dtype_, [&]<class T>(T) { return static_cast<double>(*data<T>()); });
}

double Tensor::at(std::initializer_list<std::int64_t> index) const {
  if (static_cast<int>(index.size()) != rank())
    fail<ShapeError>("at: {} needs {} indexes, got {}", shape_, rank(), index.size());
  std::int64_t position = 0;
  int axis = 0;
  for (std::int64_t i : index) {
    const std::int64_t size = shape_[axis];
    if (i < -size || i >= size) fail<ValueError>("at: index {} on axis {} is outside {}", i, axis, shape_);
    position += (i < 0 ? i + size : i) * strides_[axis++];
  }
  if (dtype_ == DType::bf16) return widened(data<BFloat16>()[position]);
  return dispatch(dtype_, [&]<class T>(T) { return static_cast<double>(data<T>()[position]); });
}

Tensor empty(const Shape& shape, DType dtype) {
  require_possible(shape);
  const auto bytes = static_cast<std::size_t>(shape.numel()) * size_of(dtype);
  try {
    return {TensorBuffer(bytes), shape, contiguous_strides(shape), 0, dtype};
  } catch (const std::bad_alloc&) {
    fail<ValueError>("shape: {} of {} needs {} bytes, more than there are", shape, dtype, bytes);
  }
}

Tensor contiguous(const Tensor& x) {
  if (x.is_contiguous()) return x;
  return dispatch_stored(x.dtype(), [&]<class T>(T) { return loops::map<T, T>(x, [](T value) { return value; }); });
}

Tensor to(const Tensor& x, DType dtype) {
  if (x.dtype() == dtype) return x;
  if (x.dtype() == DType::bf16) return to(loops::map<float, BFloat16>(x, widened), dtype);
  if (dtype == DType::bf16) return loops::map<BFloat16, float>(to(x, DType::f32), narrowed);
  return dispatch(x.dtype(), [&]<class From>(From) {
    return dispatch(dtype, [&]<class Into>(Into) {
      return loops::map<Into, From>(x, [](From value) {
        if constexpr (std::is_same_v<Into, std::int64_t>) return to_whole("to", std::trunc(static_cast<double>(value)));
        return static_cast<Into>(value);
      });
    });
  });
}

std::vector<double> to_vector(const Tensor& x) {
  const Tensor packed = contiguous(to(x, DType::f64));
  const double* first = packed.data<double>();
  return {first, first + packed.numel()};
}

void require_same_dtype(const char* operation, const Tensor& a, const Tensor& b) {
  if (a.dtype() != b.dtype())
    fail<DTypeError>("{}: {} {} and {} {} do not mix (convert one of them with to(x, DType::{}))", operation, a.dtype(),
                     a.shape(), b.dtype(), b.shape(), a.dtype());
}

void require_indexes(const char* operation, const Tensor& index) {
  if (index.dtype() != DType::i64)
    fail<DTypeError>("{}: indexes must be i64, got {} {}", operation, index.dtype(), index.shape());
}

}  // namespace regard
