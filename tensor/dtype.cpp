#include "tensor/dtype.h"

#include <cmath>

namespace regard {

std::int64_t to_whole(const char* operation, double number) {
  if (number != std::trunc(number) || !(number >= -0x1p63 && number < 0x1p63))
    fail<DTypeError>("{}: {} is not a 64-bit whole number, and i64 holds nothing else", operation, number);
  return static_cast<std::int64_t>(number);
}

void require_float(const char* operation, DType dtype) {
  if (!is_float(dtype)) fail<DTypeError>("{}: needs f32 or f64, got i64 (convert with to(x, DType::f32))", operation);
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::DType>::format(regard::DType dtype,
                                                                    fmt::format_context& context) const {
  return write(regard::name_of(dtype), context);
}
