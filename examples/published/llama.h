#pragma once

#include "nn/attention/positions/rotary_layout.h"
#include "tensor/tensor.h"

#include <map>
#include <string>
#include <vector>

namespace regard::nn {

// The sizes of a Llama: a decoder with RMSNorm in front of its parts, rotary positions, grouped-query attention and
// SwiGLU, without biases.
struct LlamaConfig {
  std::int64_t dim, hidden;  // features of a token, and inside the feed-forward
  std::int64_t layers;
  std::int64_t heads, key_value_heads;  // query head h reads key–value head h / (heads / key_value_heads)
  std::int64_t vocabulary, positions;   // how many tokens there are, and how long a sequence may be
  bool tied;                            // the output matrix is the token embedding
  double norm_epsilon = 1e-5;           // inside the root of RMSNorm
  double rotary_base = 10000;

  std::int64_t head_size() const { return dim / heads; }
  bool operator==(const LlamaConfig&) const = default;
};

// Published weights, whatever file they come from: all f32, matrices (out, in), under the names that Hugging Face gives
// them:
//
//   model.embed_tokens.weight                                           (V, dim)
//   model.layers.N.input_layernorm.weight                               (dim)
//   model.layers.N.self_attn.q_proj.weight                              (dim, dim)
//   model.layers.N.self_attn.{k,v}_proj.weight                          (key_value_heads·head_size, dim)
//   model.layers.N.self_attn.o_proj.weight                              (dim, dim)
//   model.layers.N.post_attention_layernorm.weight                      (dim)
//   model.layers.N.mlp.gate_proj.weight, down_proj, up_proj             w₁ (hidden, dim), w₂ (dim, hidden), w₃ as w₁
//   model.norm.weight                                                   (dim)
//   lm_head.weight                                                      (V, dim), where it is not tied
//
// The feed-forward is w₂(silu(w₁·x) ⊙ w₃·x).
struct LlamaCheckpoint {
  LlamaConfig config;
  RotaryLayout layout;  // of the rows of q_proj and k_proj. No shape shows it: the format that is read decides
  std::map<std::string, Tensor> tensors;
};

// The same weights for a decoder that turns pairs of the other layout.
LlamaCheckpoint with_layout(LlamaCheckpoint checkpoint, RotaryLayout layout);

// The rows of a projection to heads, those of each head in another order: seen as (heads, head_size/2, 2, in) for
// interleaved pairs and (heads, 2, head_size/2, in) for halves. w_k has key_value_heads, not heads: with another number
// no shape is wrong, and all weights are.
Tensor reorder_rows(const Tensor& weight, std::int64_t heads, RotaryLayout from, RotaryLayout to);

// One kind of tensor: a single one, or one in each layer.
struct LlamaTensor {
  std::string name;  // behind "model.layers.N." where it is in each layer
  bool in_layers;
  Shape shape;

  std::int64_t count(const LlamaConfig& config) const { return in_layers ? config.layers : 1; }
  std::string full_name(std::int64_t layer) const;  // the layer counts only where it is in each
};
// The kinds in the order above; without lm_head where it is tied.
std::vector<LlamaTensor> llama_tensors(const LlamaConfig& config);

double number_count(const LlamaConfig& config);  // of all tensors; beyond 2⁵³ rounded, and never wrapped

// What is wrong with the sizes, or with the names and shapes of the tensors; empty where nothing is.
std::string fault_of(const LlamaConfig& config);
std::string fault_of(const LlamaCheckpoint& checkpoint);

}  // namespace regard::nn
