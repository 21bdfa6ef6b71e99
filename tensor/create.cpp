#include "tensor/create.h"

#include "tensor/threads/parallel.h"

#include <cmath>

namespace regard {
namespace {

template <class T, class Number>
T convert(const char* operation, Number number) {
  if constexpr (std::is_same_v<T, std::int64_t> && std::is_same_v<Number, double>) return to_whole(operation, number);
  return static_cast<T>(number);
}

// A contiguous tensor whose element number i is f(i), computed in f64 and then rounded to dtype.
template <class F>
Tensor generate(const char* operation, const Shape& shape, DType dtype, F f) {
  Tensor result = empty(shape, dtype);
  dispatch(dtype, [&]<class T>(T) {
    T* out = result.writable<T>();
    parallel_for(result.numel(), items_of_a_task(1), [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) out[i] = convert<T>(operation, f(i));
    });
  });
  return result;
}

}  // namespace

Tensor full(const Shape& shape, double value, DType dtype) {
  return generate("full", shape, dtype, [value](std::int64_t) { return value; });
}

Tensor zeros(const Shape& shape, DType dtype) { return full(shape, 0, dtype); }
Tensor ones(const Shape& shape, DType dtype) { return full(shape, 1, dtype); }
Tensor zeros_like(const Tensor& x) { return full(x.shape(), 0, x.dtype()); }
Tensor ones_like(const Tensor& x) { return full(x.shape(), 1, x.dtype()); }

Tensor arange(std::int64_t count, DType dtype) {
  if (count < 0) fail<ValueError>("arange: the count {} is negative", count);
  return generate("arange", {count}, dtype, [](std::int64_t i) { return i; });
}

Tensor arange(double begin, double end, double step, DType dtype) {
  const double count = std::max(0.0, std::ceil((end - begin) / step));
  if (step == 0 || !std::isfinite(begin) || !std::isfinite(end) || !std::isfinite(step) || !(count < 0x1p63))
    fail<ValueError>("arange: cannot go from {} to {} in steps of {}", begin, end, step);
  return generate("arange", {static_cast<std::int64_t>(count)}, dtype,
                  [=](std::int64_t i) { return begin + static_cast<double>(i) * step; });
}

Tensor linspace(double first, double last, std::int64_t count, DType dtype) {
  if (count < 0) fail<ValueError>("linspace: the count {} is negative", count);
  return generate("linspace", {count}, dtype, [=](std::int64_t i) {
    if (i == count - 1) return count == 1 ? first : last;  // exact, whatever the step was rounded to
    return first + i * ((last - first) / (count - 1));
  });
}

Tensor eye(std::int64_t n, DType dtype) {
  return generate("eye", {n, n}, dtype, [n](std::int64_t i) { return i / n == i % n ? 1 : 0; });
}

Shape Nested::shape() const {
  if (!is_list_) return {};
  Shape inner = items_.empty() ? Shape{} : items_.front().shape();
  for (const Nested& item : items_)
    if (item.shape() != inner)
      fail<ShapeError>("tensor: the list is ragged: it holds items of shape {} and {}", inner, item.shape());
  inner.insert(0, static_cast<std::int64_t>(items_.size()));
  return inner;
}

void Nested::append_to(std::vector<double>& values) const {
  if (!is_list_) values.push_back(value_);
  for (const Nested& item : items_) item.append_to(values);
}

Tensor tensor(const Nested& data, DType dtype) {
  std::vector<double> values;
  data.append_to(values);
  return tensor(values, data.shape(), dtype);
}

Tensor tensor(const std::vector<double>& values, const Shape& shape, DType dtype) {
  if (static_cast<std::int64_t>(values.size()) != shape.numel())
    fail<ShapeError>("tensor: {} values do not fill the shape {}, which needs {}", values.size(), shape, shape.numel());
  return generate("tensor", shape, dtype, [&](std::int64_t i) { return values[static_cast<std::size_t>(i)]; });
}

}  // namespace regard
