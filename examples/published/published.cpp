#include "examples/published/published.h"

#include "nn/attention/multi_head.h"
#include "nn/attention/positions/rotary.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/attention/variants/qk_norm.h"
#include "nn/attention/variants/sinks.h"
#include "nn/attention/variants/sliding_window.h"
#include "nn/transformer/mixture.h"

#include <cmath>
#include <span>
#include <utility>

namespace regard::nn {
namespace {

MultiHeadAttention attention_of(const LlamaOptions& o, std::size_t layer, Generator& g) {
  ScaledDotProduct score;
  RotateOptions turn{.layout = o.layout, .base = o.rotary_base, .frequencies = o.frequencies};
  const bool in_window = !o.in_window.empty() && o.in_window[layer];
  if (o.gemma) score.scale = 1 / std::sqrt(o.gemma->score_divisor);
  if (o.gemma && in_window) turn = {.layout = o.layout, .base = o.gemma->base_in_window};
  AnyScore placed = o.gpt_oss ? Rotary(Sinks(score, o.heads, o.dtype), turn) : Rotary(score, turn);
  if (o.norm_of_heads)
    placed = QKNorm(std::move(placed), {.size = o.head_size(), .epsilon = o.norm_epsilon, .dtype = o.dtype});
  MultiHeadAttention attention(std::move(placed),
                               {.model = o.model,
                                .heads = o.heads,
                                .key_value_heads = o.key_value_heads,
                                .head_size = o.head_size(),
                                .bias = o.bias_of_heads,
                                .dtype = o.dtype,
                                .method = o.method,
                                .mask = in_window ? sliding_window(o.window) : Mask()},
                               g);
  if (!o.gpt_oss) attention.w_o.bias = {};
  return attention;
}

FeedForwardMaker feed_forward_of(const LlamaOptions& o) {
  if (!o.gpt_oss) return o.gemma ? FeedForwardKind::geglu : FeedForwardKind::swiglu;
  return [o](std::int64_t, Generator& g) {
    return Mixture({.size = o.model,
                    .hidden = o.hidden,
                    .experts = o.gpt_oss->experts,
                    .best = o.gpt_oss->best,
                    .kind = FeedForwardKind::clamped_swiglu,
                    .bias = true,
                    .router_bias = true,
                    .sums_to_1 = true,
                    .dtype = o.dtype},
                   g);
  };
}

using Renaming = std::pair<std::string, std::string>;

// The name with the first part of it that is found in the list replaced. Names of layers are those behind the number.
std::string renamed(const std::string& name, const std::string& their_layers, std::span<const Renaming> in_layers,
                    std::span<const Renaming> others) {
  const std::string our_layers = "decoder.layers.";
  const auto replaced = [&](const std::string& part, std::span<const Renaming> list) {
    for (const auto& [ours, theirs] : list)
      if (part == ours || part.starts_with(ours + ".")) return theirs + part.substr(ours.size());
    return part;
  };
  if (!name.starts_with(our_layers)) return replaced(name, others);
  const std::size_t dot = name.find('.', our_layers.size());
  if (dot == std::string::npos) return name;
  const std::string number = name.substr(our_layers.size(), dot + 1 - our_layers.size());  // "3."
  return their_layers + number + replaced(name.substr(dot + 1), in_layers);
}

}  // namespace

Llama make_llama(const LlamaOptions& o, Generator& generator) {
  if (!o.in_window.empty() && std::ssize(o.in_window) != o.layers)
    fail<ValueError>("make_llama: in_window says of {} layers whether they have a window, and there are {}",
                     o.in_window.size(), o.layers);
  const LayerOptions layer{.model = o.model,
                           .heads = o.heads,
                           .hidden = o.hidden,
                           .placement = o.gemma ? NormPlacement::both : NormPlacement::pre,
                           .norm = NormKind::rms,
                           .epsilon = o.norm_epsilon,
                           .feed_forward = feed_forward_of(o),
                           .bias = false,
                           .dtype = o.dtype};
  return {[o](std::int64_t number, Generator& g) { return attention_of(o, static_cast<std::size_t>(number), g); },
          {.vocabulary = o.vocabulary,
           .layers = o.layers,
           .layer = layer,
           .longest = o.longest,
           .scaled = o.gemma.has_value(),
           .tied = o.tied},
          generator};
}

// book: names
std::string hugging_face_name(const std::string& name) {
  static const std::vector<Renaming> in_layers{
      {"norm_attention", "input_layernorm"},          {"attention.w_q", "self_attn.q_proj"},
      {"attention.w_k", "self_attn.k_proj"},          {"attention.w_v", "self_attn.v_proj"},
      {"attention.w_o", "self_attn.o_proj"},          {"attention.score.norm_q", "self_attn.q_norm"},
      {"attention.score.norm_k", "self_attn.k_norm"}, {"norm_feed_forward", "post_attention_layernorm"},
      {"feed_forward.gate", "mlp.gate_proj"},         {"feed_forward.up", "mlp.up_proj"},
      {"feed_forward.down", "mlp.down_proj"},         {"attention.score.inner.sinks", "self_attn.sinks"},
      {"feed_forward.router", "mlp.router"},          {"feed_forward.experts", "mlp.experts"},
  };
  static const std::vector<Renaming> others{
      {"embedding.tokens", "model.embed_tokens"}, {"decoder.norm", "model.norm"}, {"output", "lm_head"}};
  return renamed(name, "model.layers.", in_layers, others);
}
// book: /names

std::string gemma_name(const std::string& name) {
  static const std::vector<Renaming> norms{{"norm_feed_forward", "pre_feedforward_layernorm"},
                                           {"norm_after_attention", "post_attention_layernorm"},
                                           {"norm_after_feed_forward", "post_feedforward_layernorm"}};
  for (const auto& [ours, theirs] : norms)
    if (name.ends_with(ours + ".weight")) return renamed(name, "model.layers.", norms, {});
  return hugging_face_name(name);
}

Gpt make_gpt(const GptOptions& o, Generator& generator) {
  const LayerOptions layer{.model = o.model,
                           .heads = o.heads,
                           .hidden = 4 * o.model,
                           .placement = NormPlacement::pre,
                           .feed_forward = FeedForwardKind::gelu_tanh,
                           .bias = o.bias,
                           .dropout = o.dropout,
                           .attention_dropout = o.dropout,
                           .dtype = o.dtype,
                           .method = o.method};
  return {ScaledDotProduct{},
          {.vocabulary = o.vocabulary,
           .layers = o.layers,
           .layer = layer,
           .positions = PositionKind::learned,
           .longest = o.longest,
           .tied = o.tied},
          generator};
}

std::string min_gpt_name(const std::string& name) {
  static const std::vector<Renaming> in_layers{
      {"norm_attention", "ln_1"},      {"attention.w_q", "attn.q"},         {"attention.w_k", "attn.k"},
      {"attention.w_v", "attn.v"},     {"attention.w_o", "attn.c_proj"},    {"norm_feed_forward", "ln_2"},
      {"feed_forward.up", "mlp.c_fc"}, {"feed_forward.down", "mlp.c_proj"},
  };
  static const std::vector<Renaming> others{{"embedding.tokens", "transformer.wte"},
                                            {"embedding.positions.table", "transformer.wpe.weight"},
                                            {"decoder.norm", "transformer.ln_f"},
                                            {"output", "lm_head"}};
  return renamed(name, "transformer.h.", in_layers, others);
}

}  // namespace regard::nn
