#include "examples/published/hugging_face.h"

#include "nn/save/json.h"
#include "nn/save/malformed.h"
#include "nn/save/safetensors.h"
#include "tensor/compare.h"
#include "tensor/io/file.h"

namespace regard::nn {
namespace {

constexpr const char* config_file = "config.json";
constexpr const char* tensors_file = "model.safetensors";

class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& file)
      : file_(file), root_(parse_json(text, {.file = file, .part = "the file", .depth = 8})) {}

  LlamaOptions read() const {
    require_llama();
    const LlamaOptions o{
        .model = size("hidden_size"),
        .hidden = size("intermediate_size"),
        .layers = size("num_hidden_layers"),
        .heads = size("num_attention_heads"),
        .key_value_heads = find("num_key_value_heads") ? size("num_key_value_heads") : size("num_attention_heads"),
        .vocabulary = size("vocab_size"),
        .longest = size("max_position_embeddings"),
        .layout = RotaryLayout::halves,
        .tied = find("tie_word_embeddings") ? truth("tie_word_embeddings") : false,
        .norm_epsilon = number("rms_norm_eps"),
        .rotary_base = rotary_base()};
    if (const std::string fault = fault_of(o); !fault.empty()) malformed(file_, "{}", fault);
    if (find("head_dim") && size("head_dim") != o.head_size())
      malformed(file_, "head_dim is {}, and {} heads share {} features", size("head_dim"), o.heads, o.model);
    return o;
  }

 private:
  // What a model of another kind has under these keys; one that leaves them out has nothing of the sort.
  void require_llama() const {
    require("model_type", {std::string("llama")});
    require("hidden_act", {std::string("silu")});
    require("attention_bias", {false});
    require("mlp_bias", {false});
    require("rope_scaling", {nullptr});
  }
  void require(const char* key, const Json& wanted) const {
    const Json* value = find(key);
    if (value && *value != wanted)
      malformed(file_, "{} is {}, and {} is all that can be read", key, excerpt(*value), excerpt(wanted));
  }

  // Later files have the base in an object, with the kind of scaling beside it.
  double rotary_base() const {
    const Json* rotary = find("rope_parameters");
    if (!rotary) return find("rope_theta") ? number("rope_theta") : 10000;
    const Json *kind = rotary->find("rope_type"), *base = rotary->find("rope_theta");
    const bool is_plain = !kind || *kind == Json{std::string("default")};
    const auto* keys = rotary->get_if<JsonObject>();
    if (!base || !is_plain || keys->size() != (kind ? 2u : 1u))
      malformed(file_, "rope_parameters is {}, and a rope_theta with the rope_type \"default\" is all that can be read",
                excerpt(*rotary));
    return number_in("rope_theta", *base);
  }

  const Json* find(const char* key) const { return root_.find(key); }
  const Json& at(const char* key) const {
    const Json* value = find(key);
    if (!value) malformed(file_, "it has no {}", key);
    return *value;
  }
  std::int64_t size(const char* key) const {
    if (!at(key).is_size()) malformed(file_, "{} is {}, which is not a size", key, excerpt(at(key)));
    return at(key).size();
  }
  bool truth(const char* key) const {
    const auto* value = at(key).get_if<bool>();
    if (!value) malformed(file_, "{} is {}, and neither true nor false", key, excerpt(at(key)));
    return *value;
  }
  double number(const char* key) const { return number_in(key, at(key)); }
  double number_in(const char* key, const Json& value) const {
    if (const auto* real = value.get_if<double>()) return *real;
    if (!value.is_size()) malformed(file_, "{} is {}, which is not a number above 0", key, excerpt(value));
    return static_cast<double>(value.size());
  }

  const std::string& file_;
  Json root_;
};

std::string config_of(const LlamaOptions& o) {
  const auto size = [](std::int64_t n) { return Json{static_cast<std::uint64_t>(n)}; };
  const JsonObject keys{{"architectures", {JsonList{{std::string("LlamaForCausalLM")}}}},
                        {"model_type", {std::string("llama")}},
                        {"hidden_act", {std::string("silu")}},
                        {"torch_dtype", {std::string("float32")}},
                        {"hidden_size", size(o.model)},
                        {"intermediate_size", size(o.hidden)},
                        {"num_hidden_layers", size(o.layers)},
                        {"num_attention_heads", size(o.heads)},
                        {"num_key_value_heads", size(o.key_value_heads)},
                        {"vocab_size", size(o.vocabulary)},
                        {"max_position_embeddings", size(o.longest)},
                        {"tie_word_embeddings", {o.tied}},
                        {"rms_norm_eps", {o.norm_epsilon}},
                        {"rope_theta", {o.rotary_base}}};
  return to_json({keys}, 2) + "\n";
}

// Tables of frequencies that older files hold, which follow from rope_theta, and the output matrix of a tied model,
// which must be the embedding.
void leave_out_repetitions(LlamaCheckpoint& checkpoint, const std::string& file) {
  std::erase_if(checkpoint.tensors, [](const auto& item) { return item.first.ends_with(".rotary_emb.inv_freq"); });
  const auto output = checkpoint.tensors.find("lm_head.weight"),
             input = checkpoint.tensors.find("model.embed_tokens.weight");
  if (!checkpoint.options.tied || output == checkpoint.tensors.end() || input == checkpoint.tensors.end()) return;
  if (!identical(output->second, input->second))
    malformed(file, "it has a lm_head.weight that is not model.embed_tokens.weight, and {} says they are tied",
              config_file);
  checkpoint.tensors.erase(output);
}

}  // namespace

LlamaCheckpoint load_hugging_face(const std::filesystem::path& folder) {
  if (!std::filesystem::exists(folder / tensors_file) &&
      std::filesystem::exists(folder / "model.safetensors.index.json"))
    fail<IoError>("load: {}: the tensors are in several files, of which only one, {}, can be read", folder.string(),
                  tensors_file);
  return parse_hugging_face(read_file(folder / config_file), read_file(folder / tensors_file), folder.string());
}

LlamaCheckpoint parse_hugging_face(std::string_view config, std::string_view safetensors, const std::string& folder) {
  const std::string config_name = folder + "/" + config_file, tensors_name = folder + "/" + tensors_file;
  LlamaCheckpoint checkpoint{ConfigReader(config, config_name).read(),
                             parse_safetensors(safetensors, tensors_name).tensors};
  leave_out_repetitions(checkpoint, tensors_name);
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) malformed(tensors_name, "{}", fault);
  return checkpoint;
}

void save_hugging_face(const std::filesystem::path& folder, const LlamaCheckpoint& checkpoint) {
  if (const std::string fault = fault_of(checkpoint); !fault.empty()) fail<ValueError>("save_hugging_face: {}", fault);
  std::filesystem::create_directories(folder);
  save_safetensors(folder / tensors_file,
                   {with_layout(checkpoint, RotaryLayout::halves).tensors, {{"format", "pt"}}});  // readers ask for it
  write_file(folder / config_file, config_of(checkpoint.options));
}

}  // namespace regard::nn
