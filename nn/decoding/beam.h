#pragma once

#include "nn/decoding/generate.h"

namespace regard::nn {

struct BeamOptions {
  std::int64_t width;  // how many texts are followed at once
  // At most this many are written, and no more than the model has positions for; the last is not read, and needs none.
  std::int64_t tokens;
  std::optional<std::int64_t> end = {};  // the token with which a text ends; it is not part of the result
  double length_penalty = 0;             // α: 0 prefers short texts, since every token makes a text less likely
};

struct Hypothesis {
  Tokens tokens;               // what is written, without the prompt
  double log_probability = 0;  // of all that is written, its end included
  double score = 0;            // by which hypotheses are ranked: log_probability/((5 + n)/6)^α, n tokens with the end
};

// Likely texts that may follow, the best first: at each step the `width` most likely beginnings are kept. A text that
// ends stays one of the `width`, and the others go on in what is left. So a beam of 1 is the greedy choice, and one
// that is wide enough for everything is an exhaustive search.
std::vector<Hypothesis> beam_search(const Writer& writer, const Tokens& prompt, const BeamOptions& options);

}  // namespace regard::nn
