#include "examples/published/llama.h"

#include "tensor/view.h"

namespace regard::nn {
namespace {

constexpr const char* q_name = "self_attn.q_proj.weight";
constexpr const char* k_name = "self_attn.k_proj.weight";

}  // namespace

std::string LlamaTensor::full_name(std::int64_t layer) const {
  return in_layers ? "model.layers." + std::to_string(layer) + "." + name : name;
}

std::vector<LlamaTensor> llama_tensors(const LlamaConfig& c) {
  const std::int64_t keys = c.key_value_heads * c.head_size();
  std::vector<LlamaTensor> kinds{{"model.embed_tokens.weight", false, {c.vocabulary, c.dim}},
                                 {"input_layernorm.weight", true, {c.dim}},
                                 {q_name, true, {c.dim, c.dim}},
                                 {k_name, true, {keys, c.dim}},
                                 {"self_attn.v_proj.weight", true, {keys, c.dim}},
                                 {"self_attn.o_proj.weight", true, {c.dim, c.dim}},
                                 {"post_attention_layernorm.weight", true, {c.dim}},
                                 {"mlp.gate_proj.weight", true, {c.hidden, c.dim}},
                                 {"mlp.down_proj.weight", true, {c.dim, c.hidden}},
                                 {"mlp.up_proj.weight", true, {c.hidden, c.dim}},
                                 {"model.norm.weight", false, {c.dim}}};
  if (!c.tied) kinds.push_back({"lm_head.weight", false, {c.vocabulary, c.dim}});
  return kinds;
}

std::string fault_of(const LlamaConfig& c) {
  const std::pair<const char*, std::int64_t> sizes[] = {{"dim", c.dim},
                                                        {"hidden", c.hidden},
                                                        {"layers", c.layers},
                                                        {"heads", c.heads},
                                                        {"key_value_heads", c.key_value_heads},
                                                        {"vocabulary", c.vocabulary},
                                                        {"positions", c.positions}};
  for (const auto& [name, size] : sizes)
    if (size < 1 || size > INT32_MAX) return fmt::format("{} is {}, and should be from 1 to {}", name, size, INT32_MAX);
  if (c.dim % c.heads != 0) return fmt::format("{} heads do not divide a dim of {}", c.heads, c.dim);
  if (c.heads % c.key_value_heads != 0)
    return fmt::format("{} key-value heads do not divide {} heads", c.key_value_heads, c.heads);
  if (c.head_size() % 2 != 0)
    return fmt::format("a head has {} features, which rotary positions cannot pair", c.head_size());
  if (!(c.norm_epsilon > 0 && c.norm_epsilon < 1)) return fmt::format("norm_epsilon is {}", c.norm_epsilon);
  if (!(c.rotary_base > 0 && c.rotary_base < 1e30)) return fmt::format("rotary_base is {}", c.rotary_base);
  return "";
}

double number_count(const LlamaConfig& config) {
  double count = 0;
  for (const LlamaTensor& kind : llama_tensors(config)) {
    double numbers = static_cast<double>(kind.count(config));
    for (const std::int64_t size : kind.shape) numbers *= static_cast<double>(size);
    count += numbers;
  }
  return count;
}

std::string fault_of(const LlamaCheckpoint& checkpoint) {
  if (const std::string fault = fault_of(checkpoint.config); !fault.empty()) return fault;
  std::map<std::string, Tensor> rest = checkpoint.tensors;
  for (const LlamaTensor& kind : llama_tensors(checkpoint.config))
    for (std::int64_t layer = 0; layer < kind.count(checkpoint.config); ++layer) {
      const std::string name = kind.full_name(layer);
      const auto found = rest.find(name);
      if (found == rest.end()) return fmt::format("the tensor {} is missing", name);
      const Tensor& x = found->second;
      if (x.shape() != kind.shape || x.dtype() != DType::f32)
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

LlamaCheckpoint with_layout(LlamaCheckpoint checkpoint, RotaryLayout layout) {
  const LlamaConfig& config = checkpoint.config;
  for (const auto& [name, heads] : {std::pair{q_name, config.heads}, std::pair{k_name, config.key_value_heads}})
    for (std::int64_t layer = 0; layer < config.layers; ++layer) {
      Tensor& weight = checkpoint.tensors.at(LlamaTensor{name, true, {}}.full_name(layer));
      weight = reorder_rows(weight, heads, checkpoint.layout, layout);
    }
  checkpoint.layout = layout;
  return checkpoint;
}

}  // namespace regard::nn
