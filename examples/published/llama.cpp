#include "examples/published/llama.h"

#include "tensor/view.h"

namespace regard::nn {
namespace {

constexpr const char* q_name = "self_attn.q_proj.weight";
constexpr const char* k_name = "self_attn.k_proj.weight";

void add_of_relatives(const LlamaOptions& o, std::vector<LlamaTensor>& kinds);

}  // namespace

std::string LlamaTensor::full_name(std::int64_t layer) const {
  return in_layers ? "model.layers." + std::to_string(layer) + "." + name : name;
}

std::vector<LlamaTensor> llama_tensors(const LlamaOptions& o) {
  const std::int64_t queries = o.heads * o.head_size(), keys = o.key_value_heads * o.head_size();
  std::vector<LlamaTensor> kinds{{"model.embed_tokens.weight", false, {o.vocabulary, o.model}},
                                 {"input_layernorm.weight", true, {o.model}},
                                 {q_name, true, {queries, o.model}},
                                 {k_name, true, {keys, o.model}},
                                 {"self_attn.v_proj.weight", true, {keys, o.model}},
                                 {"self_attn.o_proj.weight", true, {o.model, queries}},
                                 {"post_attention_layernorm.weight", true, {o.model}},
                                 {"mlp.gate_proj.weight", true, {o.hidden, o.model}},
                                 {"mlp.down_proj.weight", true, {o.model, o.hidden}},
                                 {"mlp.up_proj.weight", true, {o.hidden, o.model}},
                                 {"model.norm.weight", false, {o.model}}};
  if (!o.tied) kinds.push_back({"lm_head.weight", false, {o.vocabulary, o.model}});
  add_of_relatives(o, kinds);
  return kinds;
}

namespace {

// What gpt-oss, Qwen and Gemma have besides, or instead.
void add_of_relatives(const LlamaOptions& o, std::vector<LlamaTensor>& kinds) {
  const std::int64_t queries = o.heads * o.head_size(), keys = o.key_value_heads * o.head_size();
  const auto add = [&](const std::string& name, const Shape& shape) { kinds.push_back({name, true, shape}); };
  if (o.gpt_oss) {
    std::erase_if(kinds, [](const LlamaTensor& kind) { return kind.name.starts_with("mlp."); });
    add("self_attn.o_proj.bias", {o.model}), add("self_attn.sinks", {o.heads});
    add("mlp.router.weight", {o.gpt_oss->experts, o.model}), add("mlp.router.bias", {o.gpt_oss->experts});
    for (std::int64_t e = 0; e < o.gpt_oss->experts; ++e) {
      const std::string expert = fmt::format("mlp.experts.{}.", e);
      for (const char* name : {"gate", "up"})
        add(expert + name + ".weight", {o.hidden, o.model}), add(expert + name + ".bias", {o.hidden});
      add(expert + "down.weight", {o.model, o.hidden}), add(expert + "down.bias", {o.model});
    }
  }
  if (o.bias_of_heads)
    add("self_attn.q_proj.bias", {queries}), add("self_attn.k_proj.bias", {keys}), add("self_attn.v_proj.bias", {keys});
  if (o.norm_of_heads) add("self_attn.q_norm.weight", {o.head_size()}), add("self_attn.k_norm.weight", {o.head_size()});
  if (o.gemma) add("pre_feedforward_layernorm.weight", {o.model}), add("post_feedforward_layernorm.weight", {o.model});
}

}  // namespace

std::string fault_of(const LlamaOptions& o) {
  // As llama2c.h calls them.
  const std::pair<const char*, std::int64_t> sizes[] = {{"dim", o.model},
                                                        {"hidden", o.hidden},
                                                        {"layers", o.layers},
                                                        {"heads", o.heads},
                                                        {"key_value_heads", o.key_value_heads},
                                                        {"vocabulary", o.vocabulary},
                                                        {"positions", o.longest}};
  for (const auto& [name, size] : sizes)
    if (size < 1 || size > INT32_MAX) return fmt::format("{} is {}, and should be from 1 to {}", name, size, INT32_MAX);
  if (o.size_of_head < 0 || o.size_of_head > 65'536) return fmt::format("a head has {} features", o.size_of_head);
  if (o.size_of_head == 0 && o.model % o.heads != 0)
    return fmt::format("{} heads do not divide a dim of {}", o.heads, o.model);
  if (o.heads % o.key_value_heads != 0)
    return fmt::format("{} key-value heads do not divide {} heads", o.key_value_heads, o.heads);
  if (o.head_size() % 2 != 0)
    return fmt::format("a head has {} features, which rotary positions cannot pair", o.head_size());
  if (!(o.norm_epsilon > 0 && o.norm_epsilon < 1)) return fmt::format("norm_epsilon is {}", o.norm_epsilon);
  if (!(o.rotary_base > 0 && o.rotary_base < 1e30)) return fmt::format("rotary_base is {}", o.rotary_base);
  if (!o.in_window.empty() && o.window < 1) return fmt::format("a window of {} keys", o.window);
  if (o.gemma && (!(o.gemma->score_divisor > 0) || !(o.gemma->base_in_window > 0)))
    return fmt::format("a Gemma with scores over √{} and a base of {} in the window", o.gemma->score_divisor,
                       o.gemma->base_in_window);
  if (o.gpt_oss && (o.gpt_oss->best < 1 || o.gpt_oss->experts < o.gpt_oss->best || o.gpt_oss->experts > 65'536))
    return fmt::format("{} experts, of which each token takes the best {}", o.gpt_oss->experts, o.gpt_oss->best);
  return "";
}

double number_count(const LlamaOptions& options) {
  double count = 0;
  for (const LlamaTensor& kind : llama_tensors(options)) {
    double numbers = static_cast<double>(kind.count(options));
    for (const std::int64_t size : kind.shape) numbers *= static_cast<double>(size);
    count += numbers;
  }
  return count;
}

std::string fault_of(const LlamaCheckpoint& checkpoint) {
  if (const std::string fault = fault_of(checkpoint.options); !fault.empty()) return fault;
  std::map<std::string, Tensor> rest = checkpoint.tensors;
  for (const LlamaTensor& kind : llama_tensors(checkpoint.options))
    for (std::int64_t layer = 0; layer < kind.count(checkpoint.options); ++layer) {
      const std::string name = kind.full_name(layer);
      const auto found = rest.find(name);
      if (found == rest.end()) return fmt::format("the tensor {} is missing", name);
      const Tensor& x = found->second;
      if (x.shape() != kind.shape || !(x.dtype() == DType::f32 || (x.dtype() == DType::bf16 && x.rank() == 2)))
        return fmt::format("the tensor {} is {} {}, and should be f32 {}", name, x.dtype(), x.shape(), kind.shape);
      rest.erase(found);
    }
  return rest.empty() ? "" : fmt::format("the tensor {} is no part of a Llama of these sizes", rest.begin()->first);
}

// book: reorder_rows
Tensor reorder_rows(const Tensor& weight, std::int64_t heads, RotaryLayout from, RotaryLayout to) {
  if (heads < 1 || weight.rank() != 2 || weight.size(0) % (2 * heads) != 0)
    fail<ShapeError>("reorder_rows: {} with {} heads: the rows do not make pairs in each head", weight.shape(), heads);
  if (from == to) return weight;
  const std::int64_t pairs = weight.size(0) / heads / 2;
  const bool apart = from == RotaryLayout::halves;
  const Tensor seen = reshape(weight, {heads, apart ? 2 : pairs, apart ? pairs : 2, weight.size(1)});
  return reshape(transpose(seen, 1, 2), weight.shape());
}
// book: /reorder_rows

bool is_plain(const LlamaOptions& o) {
  return !o.bias_of_heads && !o.norm_of_heads && !o.gemma && !o.gpt_oss && o.frequencies.of_pairs.empty() &&
         o.size_of_head == 0 && o.in_window.empty();
}

LlamaCheckpoint with_layout(LlamaCheckpoint checkpoint, RotaryLayout layout) {
  const LlamaOptions& options = checkpoint.options;
  if (options.layout == layout) return checkpoint;
  if (!is_plain(options)) fail<ValueError>("with_layout: only the rows of a plain Llama can be put in another order");
  for (const auto& [name, heads] : {std::pair{q_name, options.heads}, std::pair{k_name, options.key_value_heads}})
    for (std::int64_t layer = 0; layer < options.layers; ++layer) {
      Tensor& weight = checkpoint.tensors.at(LlamaTensor{name, true, {}}.full_name(layer));
      weight = reorder_rows(weight, heads, options.layout, layout);
    }
  checkpoint.options.layout = layout;
  return checkpoint;
}

}  // namespace regard::nn
