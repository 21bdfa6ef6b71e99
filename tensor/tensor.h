#pragma once

#include "tensor/dtype.h"
#include "tensor/memory/buffer.h"
#include "tensor/shape.h"

#include <initializer_list>
#include <vector>

namespace regard {

// An n-dimensional array: a shape, strides, an offset and a shared buffer. Element (i, j, …) stands at
//   buffer[offset + i·stride₀ + j·stride₁ + …].
// Views (transpose, slice, expand, …) are other strides over the same buffer. A tensor is a value: nothing a user
// calls changes its elements, so it does not matter who else shares the buffer.
class Tensor {
 public:
  Tensor() = default;  // no value yet; only assignment makes sense
  Tensor(TensorBuffer buffer, const Shape& shape, const Strides& strides, std::int64_t offset, DType dtype)
      : buffer_(std::move(buffer)), shape_(shape), strides_(strides), offset_(offset), dtype_(dtype) {}

  bool defined() const { return static_cast<bool>(buffer_); }
  const Shape& shape() const { return shape_; }
  const Strides& strides() const { return strides_; }
  std::int64_t offset() const { return offset_; }
  DType dtype() const { return dtype_; }
  int rank() const { return shape_.rank(); }
  std::int64_t numel() const { return shape_.numel(); }
  std::int64_t size(int axis) const { return shape_[axis_of("size", axis, shape_)]; }
  bool is_contiguous() const;                               // elements lie in row-major order without gaps
  bool owns_buffer() const { return buffer_.is_unique(); }  // nobody else holds these elements
  bool shares_buffer_with(const Tensor& other) const { return buffer_.shares_with(other.buffer_); }

  // Single values, as f64: an i64 beyond 2⁵³ is rounded.
  double item() const;                                         // of a one-element tensor
  double at(std::initializer_list<std::int64_t> index) const;  // one element; −1 is the last along its axis

  // The elements in memory, from the first one on. T must match dtype(); the strides say where the others are.
  template <class T>
  const T* data() const {
    require_dtype(dtype_of<T>());
    return static_cast<const T*>(buffer_.data()) + offset_;
  }

  // The same as bytes, whatever the dtype.
  const std::byte* bytes() const {
    require_dtype(dtype_);
    return static_cast<const std::byte*>(buffer_.data()) + offset_ * static_cast<std::int64_t>(size_of(dtype_));
  }

  // Only for a loop that fills a new tensor, or one that nobody else holds: see owns_buffer().
  template <class T>
  T* writable() {
    require_dtype(dtype_of<T>());
    return static_cast<T*>(buffer_.data()) + offset_;
  }

  // The same buffer seen through another shape: what every view is made of.
  Tensor view(const Shape& shape, const Strides& strides, std::int64_t offset) const {
    return {buffer_, shape, strides, offset, dtype_};
  }

 private:
  void require_dtype(DType asked) const {
    if (!buffer_ || asked != dtype_) [[unlikely]]
      refuse(asked);
  }
  [[noreturn]] void refuse(DType asked) const;

  TensorBuffer buffer_;
  Shape shape_;
  Strides strides_;
  std::int64_t offset_ = 0;
  DType dtype_ = DType::f32;
};

Tensor empty(const Shape& shape, DType dtype);   // contents undefined, for loops that fill it
Tensor contiguous(const Tensor& x);              // x itself if it is contiguous, else a packed copy
Tensor to(const Tensor& x, DType dtype);         // converted; f64 → i64 cuts towards zero
std::vector<double> to_vector(const Tensor& x);  // all elements in row-major order

// Both throw a DTypeError that names the operation and both types: nothing is converted behind the user's back.
void require_same_dtype(const char* operation, const Tensor& a, const Tensor& b);
void require_indexes(const char* operation, const Tensor& index);  // i64

}  // namespace regard
