#include "examples/published/config.h"

#include "examples/published/llama.h"
#include "nn/save/json.h"
#include "nn/save/malformed.h"

#include <algorithm>
#include <set>

namespace regard::nn {
namespace {

// An object of a config, of which each key must have been asked for in the end.
class Keys {
 public:
  Keys(const Json& object, std::string file, std::string where)
      : object_(object), file_(std::move(file)), where_(std::move(where)) {}

  const Json* find(const std::string& key) {
    known_.insert(key);
    const Json* value = object_.find(key);
    return value && !value->get_if<std::nullptr_t>() ? value : nullptr;  // null says no more than no key
  }
  const Json& at(const std::string& key) {
    const Json* value = object_.find(key);
    known_.insert(key);
    if (!value) malformed(file_, "{}it has no {}", where_, key);
    return *value;
  }
  std::int64_t size(const std::string& key) {
    const Json& value = at(key);
    if (!value.is_size()) malformed(file_, "{}{} is {}, which is not a size", where_, key, excerpt(value));
    return value.size();
  }
  bool truth(const std::string& key) {
    const auto* value = at(key).get_if<bool>();
    if (!value) malformed(file_, "{}{} is {}, and neither true nor false", where_, key, excerpt(at(key)));
    return *value;
  }
  double number(const std::string& key) {
    const Json& value = at(key);
    if (const auto* real = value.get_if<double>()) return *real;
    if (!value.is_size()) malformed(file_, "{}{} is {}, which is not a number above 0", where_, key, excerpt(value));
    return static_cast<double>(value.size());
  }
  // A text out of these, or one of them if there is none.
  std::string choice(const std::string& key, const std::vector<std::string>& known) {
    const Json* value = find(key);
    if (!value) return known[0];
    const auto* text = value->get_if<std::string>();
    if (!text || std::find(known.begin(), known.end(), *text) == known.end())
      refuse(key, *value, join_words(known, ", "));
    return *text;
  }
  // What must be so if it is there at all.
  void require(const std::string& key, const Json& wanted) {
    const Json* value = find(key);
    if (value && *value != wanted) refuse(key, *value, excerpt(wanted));
  }
  void ignore(std::initializer_list<const char*> keys) { known_.insert(keys.begin(), keys.end()); }
  void require_all_known() const {
    for (const auto& [key, value] : *object_.get_if<JsonObject>())
      if (!known_.contains(key) && !value.get_if<std::nullptr_t>())
        malformed(file_, "{}{} is {}, and this key is not known", where_, key, excerpt(value));
  }
  const std::string& file() const { return file_; }

 private:
  [[noreturn]] void refuse(const std::string& key, const Json& value, const std::string& wanted) const {
    malformed(file_, "{}{} is {}, and {} is all that can be read", where_, key, excerpt(value), wanted);
  }
  const Json& object_;
  std::string file_, where_;
  std::set<std::string> known_;
};

struct Turns {
  double base = 10000;
  RotaryFrequencies frequencies = {};
};

RotaryFrequencies read_frequencies(Keys& keys, const std::string& kind, std::int64_t pairs, double base) {
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
Turns read_turns(const Json& object, const std::string& name, const LlamaOptions& o, const Keys& around,
                 std::optional<double> its_base = {}) {
  if (!object.get_if<JsonObject>()) malformed(around.file(), "{} is {}, and no object", name, excerpt(object));
  Keys keys(object, around.file(), name + ": ");
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
    kind_ = keys_.choice("model_type", {"llama", "qwen2", "qwen3", "gemma3_text"});
    o_.bias_of_heads = kind_ == "qwen2";
    o_.norm_of_heads = kind_ == "qwen3" || kind_ == "gemma3_text";
    const bool gemma = kind_ == "gemma3_text";
    keys_.require(gemma ? "hidden_activation" : "hidden_act", {std::string(gemma ? "gelu_pytorch_tanh" : "silu")});
    if (gemma) keys_.require("hidden_act", {std::string("gelu_pytorch_tanh")});
    for (const char* key :
         {"attention_bias", "mlp_bias", "rope_interleaved", "use_bidirectional_attention", "use_mrope"})
      keys_.require(key, {false});
    keys_.require("partial_rotary_factor", {1.0});
    keys_.require("pretraining_tp", {std::uint64_t{1}});
    require_possible();
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
    for (const bool in_window : windows_by_layer())
      if (in_window) malformed(keys_.file(), "layer_types has layers with a window, which a {} here has not", kind_);
    if (const Json* all = keys_.find("rope_parameters")) return set(read_turns(*all, "rope_parameters", o_, keys_));
    read_base_and_scaling(10000);
  }
  void read_base_and_scaling(double base) {
    if (keys_.find("rope_theta")) base = keys_.number("rope_theta");
    o_.rotary_base = base;
    require_possible();
    if (const Json* scaling = keys_.find("rope_scaling")) set(read_turns(*scaling, "rope_scaling", o_, keys_, base));
  }

  void read_gemma() {
    o_.tied = keys_.find("tie_word_embeddings") ? keys_.truth("tie_word_embeddings") : true;
    for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) keys_.require(key, {nullptr});
    GemmaOptions gemma{.window = keys_.size("sliding_window"),
                       .in_window = windows_by_layer(),
                       .base_in_window = 10000,
                       .score_divisor = keys_.number("query_pre_attn_scalar")};
    if (const Json* all = keys_.find("rope_parameters")) {
      Keys both(*all, keys_.file(), "rope_parameters: ");
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
  // Which layers see a window only: a list says so, or every sixth does not.
  std::vector<bool> windows_by_layer() {
    std::vector<bool> in_window;
    const char* pattern = keys_.find("_sliding_window_pattern") ? "_sliding_window_pattern" : "sliding_window_pattern";
    const std::int64_t every = keys_.find(pattern) ? keys_.size(pattern) : 6;
    const Json* list = keys_.find("layer_types");
    if (!list) {
      if (every < 1) malformed(keys_.file(), "{} is 0", pattern);
      const std::int64_t layers = kind_ == "gemma3_text" ? std::min<std::int64_t>(o_.layers, 1 << 16) : 0;
      for (std::int64_t i = 1; i <= layers; ++i) in_window.push_back(i % every != 0);
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
  Keys keys_;
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
