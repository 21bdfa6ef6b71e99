#include "examples/published/config.h"

#include "examples/published/config_keys.h"
#include "examples/published/llama.h"
#include "examples/published/rotary_scaling.h"
#include "nn/save/json.h"

#include <algorithm>

namespace regard::nn {
namespace {

struct Turns {
  double base = 10000;
  RotaryFrequencies frequencies = {};
};

RotaryFrequencies read_frequencies(ConfigKeys& keys, const std::string& kind, std::int64_t pairs, double base) {
  if (kind == "linear") return rotary::linear(pairs, base, keys.number("factor"));
  if (kind == "llama3")
    return rotary::llama3(pairs, base,
                          {.factor = keys.number("factor"),
                           .low = keys.number("low_freq_factor"),
                           .high = keys.number("high_freq_factor"),
                           .trained = keys.size("original_max_position_embeddings")});
  if (kind != "yarn") return {};
  rotary::Yarn yarn{.factor = keys.number("factor"), .trained = keys.size("original_max_position_embeddings")};
  if (keys.find("beta_fast")) yarn.fast = keys.number("beta_fast");
  if (keys.find("beta_slow")) yarn.slow = keys.number("beta_slow");
  if (keys.find("truncate")) yarn.whole = keys.truth("truncate");
  if (keys.find("attention_factor")) yarn.times = keys.number("attention_factor");
  return rotary::yarn(pairs, base, yarn);
}

// How pairs turn, from an object such as {"rope_type": "linear", "factor": 8}.
Turns read_turns(const Json& object, const std::string& name, const LlamaOptions& o, const ConfigKeys& around,
                 std::optional<double> its_base = {}) {
  if (!object.get_if<JsonObject>()) malformed(around.file(), "{} is {}, and no object", name, excerpt(object));
  ConfigKeys keys(object, around.file(), name + ": ");
  const char* type = object.find("rope_type") ? "rope_type" : "type";  // as it was called before
  const std::string kind = keys.choice(type, {"default", "linear", "llama3", "yarn"});
  const double base = its_base ? *its_base : keys.number("rope_theta");
  Turns turns{base, {}};
  try {
    turns.frequencies = read_frequencies(keys, kind, o.head_size() / 2, base);
  } catch (const ValueError& error) {
    malformed(around.file(), "{}: {}", name, error.what());
  }
  keys.require_all_known();
  return turns;
}

class ConfigReader {
 public:
  ConfigReader(std::string_view text, const std::string& file)
      : root_(parse_json(text, {.file = file, .part = "the file", .depth = 8})), keys_(root_, file, "") {}

  PublishedConfig read() {
    read_sizes();
    kind_ = keys_.choice("model_type", {"llama", "qwen2", "qwen3", "gemma3_text", "gpt_oss"});
    const bool gpt_oss = kind_ == "gpt_oss";
    o_.bias_of_heads = kind_ == "qwen2" || gpt_oss;
    o_.norm_of_heads = kind_ == "qwen3" || kind_ == "gemma3_text";
    const bool gemma = kind_ == "gemma3_text";
    keys_.require(gemma ? "hidden_activation" : "hidden_act", {std::string(gemma ? "gelu_pytorch_tanh" : "silu")});
    if (gemma) keys_.require("hidden_act", {std::string("gelu_pytorch_tanh")});
    keys_.require("attention_bias", {gpt_oss});
    for (const char* key : {"mlp_bias", "rope_interleaved", "use_bidirectional_attention", "use_mrope"})
      keys_.require(key, {false});
    keys_.require("partial_rotary_factor", {1.0});
    keys_.require("pretraining_tp", {std::uint64_t{1}});
    require_possible();
    if (gpt_oss) read_gpt_oss();
    gemma ? read_gemma() : read_rotary();
    require_possible();
    const Tokens ends = read_ends();
    // Of a training, of a file, or of how a text is begun: nothing that changes what the model computes.
    keys_.ignore({"architectures", "attention_dropout", "bos_token_id", "cache_implementation", "dtype",
                  "_name_or_path", "initializer_range", "is_llama_config", "pad_token_id", "torch_dtype",
                  "transformers.js_config", "transformers_version", "unsloth_fixed", "use_cache"});
    keys_.require_all_known();
    return {o_, ends};
  }

 private:
  void read_sizes() {
    o_.model = keys_.size("hidden_size");
    o_.hidden = keys_.size("intermediate_size");
    o_.layers = keys_.size("num_hidden_layers");
    o_.heads = keys_.size("num_attention_heads");
    o_.key_value_heads = keys_.find("num_key_value_heads") ? keys_.size("num_key_value_heads") : o_.heads;
    o_.vocabulary = keys_.size("vocab_size");
    o_.longest = keys_.size("max_position_embeddings");
    if (keys_.find("head_dim")) o_.size_of_head = keys_.size("head_dim");
    if (o_.heads > 0 && o_.model % o_.heads == 0 && o_.size_of_head == o_.model / o_.heads) o_.size_of_head = 0;
    o_.norm_epsilon = keys_.number("rms_norm_eps");
  }
  void require_possible() const {
    if (const std::string fault = fault_of(o_); !fault.empty()) malformed(keys_.file(), "{}", fault);
  }

  void set(const Turns& turns) {
    o_.rotary_base = turns.base;
    o_.frequencies = turns.frequencies;
  }
  void read_rotary() {
    o_.tied = keys_.find("tie_word_embeddings") ? keys_.truth("tie_word_embeddings") : false;
    keys_.require("use_sliding_window", {false});
    if (kind_ != "llama") keys_.ignore({"sliding_window", "max_window_layers"});  // of a window that is not used
    if (!o_.gpt_oss)
      for (const bool in_window : windows_by_layer(1))
        if (in_window) malformed(keys_.file(), "layer_types has layers with a window, which a {} here has not", kind_);
    if (const Json* all = keys_.find("rope_parameters")) return set(read_turns(*all, "rope_parameters", o_, keys_));
    read_base_and_scaling(o_.gpt_oss ? 150000 : 10000);
  }
  void read_base_and_scaling(double base) {
    if (keys_.find("rope_theta")) base = keys_.number("rope_theta");
    o_.rotary_base = base;
    require_possible();
    if (const Json* scaling = keys_.find("rope_scaling")) set(read_turns(*scaling, "rope_scaling", o_, keys_, base));
  }

  void read_gpt_oss() {
    if (const Json* packed = keys_.find("quantization_config"))
      malformed(keys_.file(),
                "quantization_config is {}: such packed weights (MXFP4 has 4 bits) cannot be read, but a copy of the "
                "model in BF16 can",
                excerpt(*packed));
    const char* best = keys_.find("num_experts_per_tok") ? "num_experts_per_tok" : "experts_per_token";
    o_.gpt_oss = {.experts = keys_.size("num_local_experts"), .best = keys_.size(best)};
    for (const auto& [key, number] : {std::pair{"swiglu_limit", 7.0}, std::pair{"swiglu_alpha", 1.702}})
      if (keys_.find(key) && keys_.number(key) != number)
        malformed(keys_.file(), "{} is {}, and {} is all that can be read", key, keys_.number(key), number);
    o_.window = keys_.size("sliding_window");
    o_.in_window = windows_by_layer(2);
    // Of a training, or said by rope_scaling as well.
    keys_.ignore({"experts_per_token", "initial_context_length", "output_router_logits", "router_aux_loss_coef"});
  }

  void read_gemma() {
    o_.tied = keys_.find("tie_word_embeddings") ? keys_.truth("tie_word_embeddings") : true;
    for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) keys_.require(key, {nullptr});
    o_.window = keys_.size("sliding_window");
    o_.in_window = windows_by_layer(6);
    GemmaOptions gemma{.base_in_window = 10000, .score_divisor = keys_.number("query_pre_attn_scalar")};
    if (const Json* all = keys_.find("rope_parameters")) {
      ConfigKeys both(*all, keys_.file(), "rope_parameters: ");
      set(read_turns(both.at("full_attention"), "full_attention", o_, keys_));
      const Turns window = read_turns(both.at("sliding_attention"), "sliding_attention", o_, keys_);
      both.require_all_known();
      if (!window.frequencies.of_pairs.empty())
        malformed(keys_.file(), "sliding_attention: it is scaled, which a window here is not");
      gemma.base_in_window = window.base;
    } else {
      read_base_and_scaling(1e6);
      if (keys_.find("rope_local_base_freq")) gemma.base_in_window = keys_.number("rope_local_base_freq");
    }
    o_.gemma = gemma;
  }
  // Which layers see a window only: a list says so, or every so manyth does not.
  std::vector<bool> windows_by_layer(std::int64_t every) {
    std::vector<bool> in_window;
    const char* pattern = "sliding_window_pattern";
    if (kind_ == "gemma3_text") {
      if (keys_.find("_sliding_window_pattern")) pattern = "_sliding_window_pattern";
      if (keys_.find(pattern)) every = keys_.size(pattern);
    }
    const Json* list = keys_.find("layer_types");
    if (!list) {
      if (every < 1) malformed(keys_.file(), "{} is 0", pattern);
      for (std::int64_t i = 1; i <= std::min<std::int64_t>(o_.layers, 1 << 16); ++i)
        in_window.push_back(i % every != 0);
      return in_window;
    }
    const auto* types = list->get_if<JsonList>();
    if (!types || std::ssize(*types) != o_.layers)
      malformed(keys_.file(), "layer_types is {}, and there are {} layers", excerpt(*list), o_.layers);
    for (const Json& type : *types) {
      const bool sees_all = type == Json{std::string("full_attention")};
      if (!sees_all && type != Json{std::string("sliding_attention")})
        malformed(keys_.file(), "layer_types has {}, which is not known", excerpt(type));
      in_window.push_back(!sees_all);
    }
    return in_window;
  }

  Tokens read_ends() {
    const Json* end = keys_.find("eos_token_id");
    if (!end) return {};
    if (end->is_size()) return {end->size()};
    Tokens ends;
    if (const auto* list = end->get_if<JsonList>())
      for (const Json& one : *list)
        if (one.is_size()) ends.push_back(one.size());
    if (ends.empty())
      malformed(keys_.file(), "eos_token_id is {}, and neither a token nor a list of them", excerpt(*end));
    return ends;
  }

  Json root_;
  ConfigKeys keys_;
  LlamaOptions o_{0, 0, 0, 0, 0, 0, 0, RotaryLayout::halves};
  std::string kind_;
};

}  // namespace

PublishedConfig parse_config(std::string_view text, const std::string& file) { return ConfigReader(text, file).read(); }

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

}  // namespace regard::nn
