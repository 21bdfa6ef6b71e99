#pragma once

#include "nn/decoding/logits.h"
#include "nn/decoding/writer.h"
#include "nn/text/tokens.h"

namespace regard::nn {

// Throws unless a model can read each of these prompts, `tokens` is 0 or more, and `end`, if given, is a token.
void require_prompts(const char* function, const Writer& writer, const std::vector<Tokens>& prompts,
                     std::int64_t tokens, std::optional<std::int64_t> end);

// Changes logits (B, V) before the choice, given the tokens of each sequence so far, (B, n).
using LogitsRule = std::function<Tensor(const Tensor& logits, const Tensor& tokens)>;

struct SamplingOptions {
  double temperature = 1;
  std::int64_t top_k = 0;  // 0: all
  double top_p = 1;
  double repetition_penalty = 1;
};
// In this order: penalty, temperature, top k, top p.
std::vector<LogitsRule> sampling_rules(const SamplingOptions& options);

struct GenerateOptions {
  // At most this many are written, and no more than the model has positions for; the last is not read, and needs none.
  std::int64_t tokens;
  std::optional<std::int64_t> end = {};  // the token with which a text ends; it is not part of the result
  std::vector<LogitsRule> rules = {};    // sampling_rules(…), or others
  // One generator for each sequence: tokens are drawn. None: the most likely one is taken.
  std::vector<Generator> generators = {};
  std::function<void(std::size_t sequence, std::int64_t token)> on_token = {};  // as soon as it is written
};

// Continues the prompts, each of one token at least, and returns what is written, without the prompts.
//
//   generate(writer(model), {{1}}, {.tokens = 100, .end = 1})
//
// Prompts may differ in length. All sequences advance together, from the length of the shortest on; those still inside
// their prompt read it instead of writing. So nothing is padded, and no sequence depends on the others: to the last bit
// if attention is fused, up to rounding if it is composed. Sequences that have ended are left out of the following
// steps.
std::vector<Tokens> generate(const Writer& writer, const std::vector<Tokens>& prompts, const GenerateOptions& options);

}  // namespace regard::nn
