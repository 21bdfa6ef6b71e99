#include "examples/published/published.h"

#include "nn/attention/positions/rotary.h"
#include "nn/attention/scores/scaled_dot_product.h"

#include <array>
#include <utility>

namespace regard::nn {
namespace {

using Renaming = std::pair<std::string, std::string>;

// The name with the first part of it that is found in the list replaced. Names of layers are those behind the number.
template <std::size_t n, std::size_t m>
std::string renamed(const std::string& name, const std::string& their_layers, const std::array<Renaming, n>& in_layers,
                    const std::array<Renaming, m>& others) {
  const std::string our_layers = "decoder.layers.";
  const auto replaced = [&](const std::string& part, const auto& list) {
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
  const LayerOptions layer{.model = o.model,
                           .heads = o.heads,
                           .hidden = o.hidden,
                           .placement = NormPlacement::pre,
                           .norm = NormKind::rms,
                           .epsilon = o.norm_epsilon,
                           .feed_forward = FeedForwardKind::swiglu,
                           .key_value_heads = o.key_value_heads,
                           .bias = false,
                           .dtype = o.dtype,
                           .method = o.method};
  return {Rotary(ScaledDotProduct{}, o.layout, o.rotary_base),
          {.vocabulary = o.vocabulary, .layers = o.layers, .layer = layer, .longest = o.longest, .tied = o.tied},
          generator};
}

// book: names
std::string hugging_face_name(const std::string& name) {
  static const std::array<Renaming, 9> in_layers{{{"norm_attention", "input_layernorm"},
                                                  {"attention.w_q", "self_attn.q_proj"},
                                                  {"attention.w_k", "self_attn.k_proj"},
                                                  {"attention.w_v", "self_attn.v_proj"},
                                                  {"attention.w_o", "self_attn.o_proj"},
                                                  {"norm_feed_forward", "post_attention_layernorm"},
                                                  {"feed_forward.gate", "mlp.gate_proj"},
                                                  {"feed_forward.up", "mlp.up_proj"},
                                                  {"feed_forward.down", "mlp.down_proj"}}};
  static const std::array<Renaming, 3> others{
      {{"embedding.tokens", "model.embed_tokens"}, {"decoder.norm", "model.norm"}, {"output", "lm_head"}}};
  return renamed(name, "model.layers.", in_layers, others);
}
// book: /names

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
  static const std::array<Renaming, 8> in_layers{{{"norm_attention", "ln_1"},
                                                  {"attention.w_q", "attn.q"},
                                                  {"attention.w_k", "attn.k"},
                                                  {"attention.w_v", "attn.v"},
                                                  {"attention.w_o", "attn.c_proj"},
                                                  {"norm_feed_forward", "ln_2"},
                                                  {"feed_forward.up", "mlp.c_fc"},
                                                  {"feed_forward.down", "mlp.c_proj"}}};
  static const std::array<Renaming, 4> others{{{"embedding.tokens", "transformer.wte"},
                                               {"embedding.positions.table", "transformer.wpe.weight"},
                                               {"decoder.norm", "transformer.ln_f"},
                                               {"output", "lm_head"}}};
  return renamed(name, "transformer.h.", in_layers, others);
}

}  // namespace regard::nn
