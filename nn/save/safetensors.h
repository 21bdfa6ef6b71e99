#pragma once

#include "tensor/tensor.h"

#include <map>

namespace regard::nn {

// A file of named tensors, in the format called safetensors, which Python's libraries read and write too:
//
//   8 bytes      the length n of the header, little-endian
//   n bytes      the header, JSON: {"__metadata__": {"made by": "hand"},
//                                   "w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …}
//   the rest     the elements, row-major, little-endian; offsets count from here
//
// The tensors fill the rest without gaps, and nothing in the file is executed when it is read.
struct TensorFile {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::string> metadata;  // free text about them
};

// What becomes of BF16, in which the library stores weights, but does not compute.
enum class StoredBf16 { widened, kept };

// Reads F32, F64 and I64 as they are; F16 and BF16 are widened to f32, and I32, I16, I8, U8 and BOOL to i64. Whatever
// else is found is an IoError that says what, and in which file. All sizes are checked before memory is taken for
// elements, and there are never more elements than the file has.
TensorFile load_safetensors(const std::string& path, StoredBf16 bf16 = StoredBf16::widened);
TensorFile parse_safetensors(std::string_view bytes, const std::string& file,  // the name is for the messages
                             StoredBf16 bf16 = StoredBf16::widened);

// Writes the bytes that the format's public implementation writes for the same content: larger elements first, then by
// name, and the header padded with blanks to a multiple of 8. The file appears under its name only when it is complete.
void save_safetensors(const std::string& path, const TensorFile& file);

}  // namespace regard::nn
