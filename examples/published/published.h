#pragma once

#include "nn/attention/positions/frequencies.h"
#include "nn/layers/stated.h"
#include "nn/transformer/decoder_model.h"

namespace regard::nn {

// Two families of models whose weights are published, as special cases of DecoderModel; and what files call their
// parameters:  load(model, path, {.name_in_file = hugging_face_name, .weights_only = true})

// Llama: RMSNorm in front of the parts, rotary positions, grouped queries, SwiGLU, no biases. And its relatives, Qwen,
// Gemma and gpt-oss, each with a few choices of its own.
using Llama = DecoderModel;

// Gemma 3: embeddings are multiplied by √E, norms stand before each part and behind it, the gate is GELU by tanh, and
// most layers see a window only.
struct GemmaOptions {
  double base_in_window;  // of the rotary positions of layers with a window
  double score_divisor;   // scores are q·k/√ of this number, in place of √D
  bool operator==(const GemmaOptions&) const = default;
};

// gpt-oss: a sink in each head, biases, every second layer sees a window only, and a token goes through the best of
// several experts, clamped SwiGLUs, with gates that sum to 1.
struct GptOssOptions {
  std::int64_t experts, best;
  bool operator==(const GptOssOptions&) const = default;
};

struct LlamaOptions {
  std::int64_t model, hidden;  // E, F
  std::int64_t layers;
  std::int64_t heads, key_value_heads;  // H, G: query head h reads key–value head h/(H/G)
  std::int64_t vocabulary, longest;     // V, and how long a sequence may be; 0: no limit
  Stated<RotaryLayout> layout;          // of the rows of w_q and w_k. No shape shows it: the format of a file decides
  bool tied = true;                     // the output matrix is the table of tokens
  double norm_epsilon = 1e-5;           // inside the root of RMSNorm
  double rotary_base = 10000;
  RotaryFrequencies frequencies = {};  // where they do not follow from the base alone
  std::int64_t size_of_head = 0;       // D; 0: model/heads
  bool bias_of_heads = false;          // of w_q, w_k and w_v, as Qwen2 has it
  bool norm_of_heads = false;          // an RMSNorm of each query and each key, as Qwen3 has it, and Gemma 3
  std::int64_t window = 0;             // a query sees so many keys, the last of them its own …
  std::vector<bool> in_window = {};    // … in these layers; the others see all. Empty: all see all
  std::optional<GemmaOptions> gemma = {};
  std::optional<GptOssOptions> gpt_oss = {};
  DType dtype = DType::f32;
  Method method = Method::fused;

  std::int64_t head_size() const { return size_of_head > 0 ? size_of_head : model / heads; }
  bool operator==(const LlamaOptions&) const = default;
};
Llama make_llama(const LlamaOptions& options, Generator& generator);

// "decoder.layers.3.attention.w_q.weight" → "model.layers.3.self_attn.q_proj.weight", as Hugging Face has it. In a
// Gemma norms have other names: "post_attention_layernorm" is no longer in front of the feed-forward part.
std::string hugging_face_name(const std::string& name);
std::string gemma_name(const std::string& name);

// GPT-2 and its relatives: LayerNorm in front of the parts, learned positions, GELU by tanh.
using Gpt = DecoderModel;

struct GptOptions {
  std::int64_t model, layers, heads, vocabulary, longest;  // the feed-forward part is 4E wide
  bool tied = true;
  bool bias = true;
  double dropout = 0;  // of embeddings, of what parts add, and of weights
  DType dtype = DType::f32;
  Method method = Method::fused;

  bool operator==(const GptOptions&) const = default;
};
Gpt make_gpt(const GptOptions& options, Generator& generator);

// "decoder.layers.3.attention.w_q.weight" → "transformer.h.3.attn.q.weight", as minGPT has it, with its c_attn cut into
// q, k and v.
std::string min_gpt_name(const std::string& name);

}  // namespace regard::nn
