#pragma once

#include "examples/published/published.h"

#include <filesystem>
#include <map>
#include <string_view>

namespace regard::nn {

// Weights of a minGPT, all f32, under its names; but its c_attn, which holds the projections to queries, keys and
// values one after another, is cut into three:
//
//   transformer.wte.weight, wpe.weight                      (V, E), (longest, E)
//   transformer.h.N.ln_1, ln_2 .{weight,bias}               (E)
//   transformer.h.N.attn.{q,k,v} .{weight,bias}             (E, E), (E)
//   transformer.h.N.attn.c_proj .{weight,bias}              (E, E), (E)
//   transformer.h.N.mlp.c_fc .{weight,bias}                 (4E, E), (4E)
//   transformer.h.N.mlp.c_proj .{weight,bias}               (E, 4E), (E)
//   transformer.ln_f .{weight,bias}, lm_head.weight         (E), (V, E)
struct MinGptCheckpoint {
  GptOptions options;
  std::map<std::string, Tensor> tensors;
};

// A JSON file {"config": {"n_layer": 3, …}, "lm_head.weight": {"shape": [3, 48], "dtype": "torch.float32",
// "data": base64 of f32}, …}. Whatever does not fit is an IoError.
MinGptCheckpoint load_mingpt(const std::filesystem::path& path);
MinGptCheckpoint parse_mingpt(std::string_view text, const std::string& file);

// The tensors of such a file as they are, whatever their names.
std::map<std::string, Tensor> load_json_tensors(const std::filesystem::path& path);

}  // namespace regard::nn
