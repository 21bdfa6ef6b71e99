#pragma once

#include "tensor/error.h"

#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

namespace regard {

// The element type is a run-time property of a tensor, so no signature a reader meets carries <T>.
// f64 is for gradient checks, f32 for training, i64 for indexes (tokens, classes, positions). bf16 is how large models
// store their weights: an f32 without its last 16 bits. Nothing is computed in it: it is viewed, picked from by
// index_select, multiplied by rows of f32 in linear(), and converted by to(); all else refuses it.
enum class DType : std::uint8_t { bf16, f32, f64, i64 };

constexpr std::size_t size_of(DType dtype) { return dtype == DType::bf16 ? 2 : dtype == DType::f32 ? 4 : 8; }

constexpr bool is_float(DType dtype) { return dtype == DType::f32 || dtype == DType::f64; }  // can be computed with

constexpr std::string_view name_of(DType dtype) {
  switch (dtype) {
    case DType::bf16: return "bf16";
    case DType::f32: return "f32";
    case DType::f64: return "f64";
    case DType::i64: return "i64";
  }
  return "?";
}

struct BFloat16 {
  std::uint16_t bits;
};
inline float widened(BFloat16 x) { return std::bit_cast<float>(std::uint32_t{x.bits} << 16); }
BFloat16 narrowed(float x);  // the nearest; of two equally near ones the one whose last bit is 0

template <class T>
constexpr DType dtype_of() {
  if (std::is_same_v<T, BFloat16>) return DType::bf16;
  if (std::is_same_v<T, float>) return DType::f32;
  if (std::is_same_v<T, double>) return DType::f64;
  static_assert(std::is_same_v<T, BFloat16> || std::is_floating_point_v<T> || std::is_same_v<T, std::int64_t>);
  return DType::i64;
}

[[noreturn]] void refuse_bf16();

// Calls body(T{}) with T the C++ type of dtype: the one bridge from run-time types to templates.
//   dispatch(x.dtype(), [&]<class T>(T) { … });
template <class Body>
decltype(auto) dispatch(DType dtype, Body&& body) {
  switch (dtype) {
    case DType::bf16: refuse_bf16();
    case DType::f32: return body(float{});
    case DType::f64: return body(double{});
    case DType::i64: break;
  }
  return body(std::int64_t{});
}

// The same where elements only move.
template <class Body>
decltype(auto) dispatch_stored(DType dtype, Body&& body) {
  return dtype == DType::bf16 ? body(BFloat16{}) : dispatch(dtype, std::forward<Body>(body));
}

// The number as an i64, for which it must be a whole one: 2.5 would have to be cut behind the user's back.
std::int64_t to_whole(const char* operation, double number);

void require_float(const char* operation, DType dtype);

// The same for operations that only make sense on real numbers; i64 is refused in the name of the operation.
template <class Body>
decltype(auto) dispatch_float(const char* operation, DType dtype, Body&& body) {
  require_float(operation, dtype);
  return dtype == DType::f32 ? body(float{}) : body(double{});
}

}  // namespace regard

template <>
struct fmt::formatter<regard::DType> : regard::PlainFormatter {
  fmt::format_context::iterator format(regard::DType dtype, fmt::format_context& context) const;
};
