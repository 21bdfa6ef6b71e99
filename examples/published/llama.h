#pragma once

#include "examples/published/published.h"
#include "nn/text/tokens.h"

#include <map>

namespace regard::nn {

// Published weights, whatever file they come from: f32, and matrices (out, in) in bf16 where the file has them so;
// under the names that Hugging Face gives them:
//
//   model.embed_tokens.weight                                           (V, E)
//   model.layers.N.input_layernorm.weight                               (E)
//   model.layers.N.self_attn.q_proj.weight                              (heads·head_size, E)
//   model.layers.N.self_attn.{k,v}_proj.weight                          (key_value_heads·head_size, E)
//   model.layers.N.self_attn.{q,k,v}_proj.bias                          as the rows of these, where there are biases
//   model.layers.N.self_attn.{q,k}_norm.weight                          (head_size), where heads are normalised
//   model.layers.N.self_attn.o_proj.weight                              (E, heads·head_size)
//   model.layers.N.post_attention_layernorm.weight                      (E)
//   model.layers.N.mlp.gate_proj.weight, down_proj, up_proj             w₁ (F, E), w₂ (E, F), w₃ as w₁
//   model.norm.weight                                                   (E)
//   lm_head.weight                                                      (V, E), where it is not tied
//
// The feed-forward is w₂(silu(w₁·x) ⊙ w₃·x). A Gemma has {pre,post}_feedforward_layernorm besides, and its norms, which
// files hold less 1, are whole here. A gpt-oss has a self_attn.o_proj.bias and self_attn.sinks (heads); and in place of
// the feed-forward mlp.router.{weight,bias}, and of each expert mlp.experts.e.{gate,up,down}.{weight,bias}, which files
// hold in one piece.
struct LlamaCheckpoint {
  LlamaOptions options;
  std::map<std::string, Tensor> tensors;
  Tokens ends = {};  // the tokens that end a text, where the file says which
};

// Whether it has nothing of Llama's relatives, and rotary positions as they were at first.
bool is_plain(const LlamaOptions& options);

// The same weights, of a plain Llama, for a decoder that turns pairs of the other layout.
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

  std::int64_t count(const LlamaOptions& options) const { return in_layers ? options.layers : 1; }
  std::string full_name(std::int64_t layer) const;  // the layer counts only where it is in each
};
// The kinds of a plain Llama, in the order above, without lm_head where it is tied; what its relatives have comes last.
std::vector<LlamaTensor> llama_tensors(const LlamaOptions& options);

double number_count(const LlamaOptions& options);  // of all tensors; beyond 2⁵³ rounded, and never wrapped

// What is wrong with the sizes, or with the names and shapes of the tensors; empty where nothing is.
std::string fault_of(const LlamaOptions& options);
std::string fault_of(const LlamaCheckpoint& checkpoint);

}  // namespace regard::nn
