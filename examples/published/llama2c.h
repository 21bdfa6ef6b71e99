#pragma once

#include "examples/published/llama.h"

#include <filesystem>
#include <string_view>

namespace regard::nn {

// The files of llama2.c. All numbers are little-endian.
//
// Version 0:  7 × i32: dim, hidden, layers, heads, key_value_heads, vocabulary (negative: not tied), positions
//             f32: all tensors, in the order of llama_tensors, those of all layers together; behind the last norm two
//             tables of cosines and sines, (positions, head_size/2) each, which nobody needs
// Version 1:  256 bytes: u32 0x616b3432, i32 1, the 7 numbers, u8 tied, zeros
//             f32: the norms of attention, of the feed-forward, the last one; then all others
// Version 2:  as version 1, with i32 2 and, behind tied, an i32 group size. After the norms each matrix in 8 bits: i8,
//             as many as it has numbers, and an f32 scale for each group of them; number = i8 · scale
//
// They rotate interleaved pairs, with ε 1e−5 and base 10000. The sizes in the header say how long the file is: another
// length is an IoError before memory is taken, as is everything else that does not fit.
LlamaCheckpoint load_llama2c(const std::filesystem::path& path);
LlamaCheckpoint parse_llama2c(std::string_view bytes, const std::string& file);  // the name is for the messages

enum class Llama2cVersion { v0, v1 };

// Rows of q and k are brought to interleaved pairs. What the format cannot say, such as another ε, is a ValueError.
void save_llama2c(const std::filesystem::path& path, const LlamaCheckpoint& checkpoint, Llama2cVersion version);

}  // namespace regard::nn
