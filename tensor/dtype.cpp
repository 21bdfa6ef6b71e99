#include "tensor/dtype.h"

#include <cmath>

namespace regard {

std::int64_t to_whole(const char* operation, double number) {
  if (number != std::trunc(number) || !(number >= -0x1p63 && number < 0x1p63))
    fail<DTypeError>(
        "{}: {} is not a 64-bit whole number, and i64 holds nothing else (f64 does; to(x, DType::f64) converts)",
        operation, number);
  return static_cast<std::int64_t>(number);
}

// Half of the last place is added, less a bit where the last place is even; what is cut off then carries as it should.
BFloat16 narrowed(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  if (x != x) return {static_cast<std::uint16_t>(bits >> 16 | 0x40)};  // a NaN stays one
  return {static_cast<std::uint16_t>((bits + 0x7fff + (bits >> 16 & 1)) >> 16)};
}

void refuse_bf16() {
  fail<DTypeError>("bf16: nothing is computed in it, but linear and index_select (convert with to(x, DType::f32))");
}

void require_float(const char* operation, DType dtype) {
  if (!is_float(dtype))
    fail<DTypeError>("{}: needs f32 or f64, got {} (convert with to(x, DType::f32))", operation, dtype);
}

}  // namespace regard

fmt::format_context::iterator fmt::formatter<regard::DType>::format(regard::DType dtype,
                                                                    fmt::format_context& context) const {
  return write(regard::name_of(dtype), context);
}
