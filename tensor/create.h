#pragma once

#include "tensor/tensor.h"

#include <initializer_list>
#include <vector>

namespace regard {

// Without a dtype numbers are f32, the type for training; those of arange(count) are i64. Gradient checks ask for f64.
Tensor zeros(const Shape& shape, DType dtype = DType::f32);
Tensor ones(const Shape& shape, DType dtype = DType::f32);
Tensor full(const Shape& shape, double value, DType dtype = DType::f32);
Tensor zeros_like(const Tensor& x);
Tensor ones_like(const Tensor& x);

Tensor arange(std::int64_t count, DType dtype = DType::i64);                         // 0, 1, …, count − 1
Tensor arange(double begin, double end, double step = 1, DType dtype = DType::f32);  // begin, begin + step, … < end
Tensor linspace(double first, double last, std::int64_t count, DType dtype = DType::f32);  // both ends included
Tensor eye(std::int64_t n, DType dtype = DType::f32);

// A tensor written out: tensor({{1, 2}, {3, 4}}), tensor({0.5, −1}, DType::f64), tensor(3).
class Nested {
 public:
  Nested(double value) : value_(value) {}  // NOLINT: implicit, so that braces read as data
  Nested(std::initializer_list<Nested> items) : items_(items), is_list_(true) {}

 private:
  friend Tensor tensor(const Nested& data, DType dtype);
  Shape shape() const;
  void append_to(std::vector<double>& values) const;

  double value_ = 0;
  std::vector<Nested> items_;
  bool is_list_ = false;
};

Tensor tensor(const Nested& data, DType dtype = DType::f32);
Tensor tensor(const std::vector<double>& values, const Shape& shape, DType dtype = DType::f32);  // row-major

}  // namespace regard
