#pragma once

#include "tensor/tensor.h"

#include <string_view>

namespace regard {

// The types that elements have in files. Four of them are ours; each of the others is widened to the one of ours that
// holds all its values.
enum class StoredType : std::uint8_t { f64, f32, f16, bf16, i64, i32, i16, i8, u32, u16, u8, boolean };

std::size_t size_of(StoredType type);
DType widened(StoredType type);  // f16 becomes f32, whole numbers i64, and booleans 0 and 1 in i64
StoredType stored_as(DType dtype);

// The tensor of this shape whose elements the bytes are: row-major, little-endian, and as many as it takes.
Tensor widen(std::string_view bytes, StoredType type, const Shape& shape);

}  // namespace regard
