#pragma once

#include "tensor/tensor.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

namespace regard::nn {

// The sizes of a GPT: a decoder with LayerNorm in front of its parts, learned positions, GELU by tanh, and biases.
struct MinGptConfig {
  std::int64_t dim, layers, heads, vocabulary, positions;
  bool operator==(const MinGptConfig&) const = default;
};

// Weights of a minGPT, all f32, under its names; but its c_attn, which holds the projections to queries, keys and
// values one after another, is cut into three:
//
//   transformer.wte.weight, wpe.weight                      (V, dim), (positions, dim)
//   transformer.h.N.ln_1, ln_2 .{weight,bias}               (dim)
//   transformer.h.N.attn.{q,k,v} .{weight,bias}             (dim, dim), (dim)
//   transformer.h.N.attn.c_proj .{weight,bias}              (dim, dim), (dim)
//   transformer.h.N.mlp.c_fc .{weight,bias}                 (4·dim, dim), (4·dim)
//   transformer.h.N.mlp.c_proj .{weight,bias}               (dim, 4·dim), (dim)
//   transformer.ln_f .{weight,bias}, lm_head.weight         (dim), (V, dim)
struct MinGptCheckpoint {
  MinGptConfig config;
  std::map<std::string, Tensor> tensors;
};

// A JSON file {"config": {"n_layer": 3, …}, "lm_head.weight": {"shape": [3, 48], "dtype": "torch.float32",
// "data": base64 of f32}, …}. Whatever does not fit is an IoError.
MinGptCheckpoint load_mingpt(const std::filesystem::path& path);
MinGptCheckpoint parse_mingpt(std::string_view text, const std::string& file);

// The tensors of such a file as they are, whatever their names.
std::map<std::string, Tensor> load_json_tensors(const std::filesystem::path& path);

}  // namespace regard::nn
