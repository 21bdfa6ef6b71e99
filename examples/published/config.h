#pragma once

#include "examples/published/published.h"
#include "nn/text/tokens.h"

#include <string_view>

namespace regard::nn {

// A config.json, as Hugging Face's transformers stores it beside a model: of "llama" (Llama 1 to 3, SmolLM2), "qwen2",
// "qwen3", "gemma3_text" and "gpt_oss". Nothing in it is ignored: a key that is not known, and a value that asks for
// what is not here, is an IoError that names it.
struct PublishedConfig {
  LlamaOptions options;
  Tokens ends;  // the tokens that end a text, where it says which
};
PublishedConfig parse_config(std::string_view text, const std::string& file);

std::string config_of(const LlamaOptions& options);  // of a Llama, with nothing of its relatives

}  // namespace regard::nn
