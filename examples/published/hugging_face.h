#pragma once

#include "examples/published/llama.h"

#include <filesystem>
#include <string_view>

namespace regard::nn {

// A folder as Hugging Face's transformers stores a Llama, or one of its relatives (config.h): config.json, and
// model.safetensors with numbers in F32, F16 or BF16, or several such files and model.safetensors.index.json. Matrices
// in BF16 stay as they are. It rotates halves: so is what is loaded, and what is saved is brought to that.
//
//   const LlamaCheckpoint pairs = with_layout(load_hugging_face(folder), RotaryLayout::interleaved);
//
// What a config asks for and is not here is an IoError that names it.
LlamaCheckpoint load_hugging_face(const std::filesystem::path& folder);
LlamaCheckpoint parse_hugging_face(std::string_view config, std::string_view safetensors, const std::string& folder);

void save_hugging_face(const std::filesystem::path& folder, const LlamaCheckpoint& checkpoint);

}  // namespace regard::nn
