#include "tensor/io/stored.h"

#include <bit>
#include <cstring>
#include <iterator>

static_assert(std::endian::native == std::endian::little, "numbers are written to files as they stand in memory");

namespace regard {
namespace {

// 1 sign, 5 exponent and 10 fraction bits.
// (−1)^sign · 2^(exponent − 15) · 1.fraction; exponent 0: 2^−14 · 0.fraction; exponent 31: infinity, or NaN.
float from_half(std::uint16_t bits) {
  const std::uint32_t sign = std::uint32_t{bits} >> 15 << 31, exponent = bits >> 10 & 31, fraction = bits & 1023;
  if (exponent == 0) return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(fraction * 0x1p-24F));
  const std::uint32_t wider = exponent == 31 ? 255 : exponent + 127 - 15;
  return std::bit_cast<float>(sign | wider << 23 | fraction << 13);
}

// The number that a stored one becomes. f16 comes as its bits.
template <class Stored, class T>
Tensor convert(std::string_view bytes, const Shape& shape, T (*number)(Stored)) {
  Tensor result = empty(shape, dtype_of<T>());
  T* out = result.writable<T>();
  for (std::size_t i = 0; i < bytes.size() / sizeof(Stored); ++i) {
    Stored stored;
    std::memcpy(&stored, bytes.data() + i * sizeof(Stored), sizeof(Stored));
    out[i] = number(stored);
  }
  return result;
}

template <class Stored>
Tensor whole(std::string_view bytes, const Shape& shape) {
  return convert<Stored, std::int64_t>(bytes, shape, [](Stored number) { return std::int64_t{number}; });
}

Tensor copy(std::string_view bytes, DType dtype, const Shape& shape) {
  Tensor result = empty(shape, dtype);
  if (!bytes.empty())
    dispatch_stored(dtype, [&]<class T>(T) { std::memcpy(result.writable<T>(), bytes.data(), bytes.size()); });
  return result;
}

struct StoredFacts {
  std::size_t bytes;
  DType widened;
};
constexpr StoredFacts facts[] = {  // in the order of StoredType
    {8, DType::f64}, {4, DType::f32}, {2, DType::f32}, {2, DType::bf16}, {8, DType::i64}, {4, DType::i64},
    {2, DType::i64}, {1, DType::i64}, {4, DType::i64}, {2, DType::i64},  {1, DType::i64}, {1, DType::i64}};
static_assert(std::size(facts) == static_cast<std::size_t>(StoredType::boolean) + 1);

}  // namespace

std::size_t size_of(StoredType type) { return facts[static_cast<std::size_t>(type)].bytes; }
DType widened(StoredType type) { return facts[static_cast<std::size_t>(type)].widened; }

StoredType stored_as(DType dtype) {
  switch (dtype) {
    case DType::bf16: return StoredType::bf16;
    case DType::f32: return StoredType::f32;
    case DType::f64: return StoredType::f64;
    case DType::i64: break;
  }
  return StoredType::i64;
}

Tensor widen(std::string_view bytes, StoredType type, const Shape& shape) {
  const auto wanted = static_cast<std::size_t>(shape.numel()) * size_of(type);
  if (bytes.size() != wanted) fail<ShapeError>("widen: {} takes {} bytes, not {}", shape, wanted, bytes.size());
  switch (type) {
    case StoredType::f64:
    case StoredType::f32:
    case StoredType::bf16:
    case StoredType::i64: break;
    case StoredType::f16: return convert<std::uint16_t, float>(bytes, shape, from_half);
    case StoredType::i32: return whole<std::int32_t>(bytes, shape);
    case StoredType::i16: return whole<std::int16_t>(bytes, shape);
    case StoredType::i8: return whole<std::int8_t>(bytes, shape);
    case StoredType::u32: return whole<std::uint32_t>(bytes, shape);
    case StoredType::u16: return whole<std::uint16_t>(bytes, shape);
    case StoredType::u8:
    case StoredType::boolean: return whole<std::uint8_t>(bytes, shape);
  }
  return copy(bytes, widened(type), shape);
}

}  // namespace regard
