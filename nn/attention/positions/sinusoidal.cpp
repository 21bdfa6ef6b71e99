#include "nn/attention/positions/sinusoidal.h"

#include "tensor/create.h"

#include <cmath>

namespace regard::nn {

// book: table
Tensor sinusoidal_table(std::int64_t count, std::int64_t size, std::int64_t offset, DType dtype) {
  std::vector<double> table;
  table.reserve(static_cast<std::size_t>(count * size));
  for (std::int64_t i = 0; i < count; ++i)
    for (std::int64_t c = 0; c < size; ++c) {
      const double frequency = std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(size));
      const double angle = static_cast<double>(offset + i) * frequency;
      table.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return tensor(table, {count, size}, dtype);
}
// book: /table

}  // namespace regard::nn
