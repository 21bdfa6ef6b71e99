#pragma once

#include "examples/published/llama.h"

#include <filesystem>
#include <string_view>

namespace regard::nn {

// A folder as Hugging Face's transformers stores a Llama: config.json, and model.safetensors with numbers in F32, F16
// or BF16. It rotates halves, so that is the layout of what is loaded, and what is saved is brought to it:
//
//   const LlamaCheckpoint pairs = with_layout(load_hugging_face(folder), RotaryLayout::interleaved);
//
// What a config asks for and a Llama here has not, such as biases or scaled rotary positions, is an IoError.
LlamaCheckpoint load_hugging_face(const std::filesystem::path& folder);
LlamaCheckpoint parse_hugging_face(std::string_view config, std::string_view safetensors, const std::string& folder);

void save_hugging_face(const std::filesystem::path& folder, const LlamaCheckpoint& checkpoint);

}  // namespace regard::nn
