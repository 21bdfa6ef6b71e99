#pragma once

#include "tensor/tensor.h"

#include <string>

namespace regard {

// NumPy's file format for one array. Reads versions 1 to 3, little-endian, row- or column-major: f4, f8 and i8 as they
// are; f2 is widened to f32, and i4, i2, i1, u4, u2, u1 and booleans to i64. Everything else is an IoError that says
// what was found.
Tensor load_npy(const std::string& path);

// Writes version 1.0. The file appears under its name only when it is complete.
void save_npy(const std::string& path, const Tensor& x);

}  // namespace regard
