#pragma once

#include "nn/transformer/transformer.h"

#include <functional>

namespace regard::nn {

// A model that writes, as decoding sees it: it is given tokens, remembers them, and says what may come next. Any model
// can be one; it is a few functions that share a memory. Decoding begins with an empty memory, so a writer can be used
// again and again.
// book: writer
struct Writer {
  // The next tokens of all sequences, (B, n), i64 → the logits of the token that follows, (B, V).
  std::function<Tensor(const Tensor& tokens)> read;

  // From now on the sequences are those of these numbers (i64), in this order: some may have ended, and others go on in
  // several ways.
  std::function<void(const Tensor& sequences)> select;

  std::int64_t vocabulary;   // V
  std::int64_t longest = 0;  // no sequence may be longer; 0: no limit

  // What was read is forgotten: the next tokens begin new sequences. A model without a memory needs no such function.
  std::function<void()> forget = {};

  void begin() const {
    if (forget) forget();
  }
};
// book: /writer

// The model as it is, but for dropout, which is switched off. Each writer has a memory of its own.
template <AnyScore S>
Writer writer(const DecoderModel<S>& model) {
  const auto own = std::make_shared<DecoderModel<S>>(model);  // a copy shares the parameters
  eval(*own);
  const auto cache = std::make_shared<StackCache>();
  return {.read =
              [own, cache](const Tensor& tokens) {
                const NoGrad no_grad;
                return select((*own)(tokens, {.cache = cache.get(), .last = true}), 1, -1).value();
              },
          .select = [cache](const Tensor& sequences) { cache->select(sequences); },
          .vocabulary = own->vocabulary(),
          .longest = own->longest(),
          .forget = [cache] { *cache = {}; }};
}

// Sources that an encoder has read, and how many positions of each are real; undefined: all.
struct ReadSources {
  Variable memory;  // (B, Ls, E)
  Tensor lengths;   // (B)

  Encoded encoded() const { return {memory, lengths.defined() ? Mask::valid_lengths(lengths) : Mask(), {}}; }
  ReadSources of(const Tensor& sequences) const;  // those with these numbers, in this order
};

// Throws unless tokens are (B, L), i64, and lengths (B), each from 0 to L.
void require_padded(const char* function, const Tensor& tokens, const Tensor& lengths);
// Throws unless there is a text for each source.
void require_texts(const Tensor& tokens, const ReadSources& sources);

// What the model writes about sources, a text for each: tokens (B, Ls), of which the first `lengths` (B) are real; none
// are given: all.
template <AnyScore S, AnyScore Cross>
Writer writer(const Transformer<S, Cross>& model, const Tensor& source, const Tensor& lengths = {}) {
  struct Memory {
    Transformer<S, Cross> model;
    ReadSources all, now;  // those that were given, and those that are still written about
    StackCache cache;
  };
  if (lengths.defined()) require_padded("writer", source, lengths);
  const NoGrad no_grad;
  const auto own = std::make_shared<Memory>(Memory{model, {{}, lengths}, {}, {}});
  eval(own->model);
  own->all.memory = own->model.encode(source, own->all.encoded().mask).memory;
  own->now = own->all;
  return {.read =
              [own](const Tensor& tokens) {
                const NoGrad none;
                require_texts(tokens, own->now);
                const Variable logits =
                    own->model.decode(tokens, own->now.encoded(), {.cache = &own->cache, .last = true});
                return select(logits, 1, -1).value();
              },
          .select =
              [own](const Tensor& sequences) {
                own->cache.select(sequences);
                own->now = own->now.of(sequences);
              },
          .vocabulary = own->model.vocabulary(),
          .longest = own->model.longest(),
          .forget =
              [own] {
                own->cache = {};
                own->now = own->all;
              }};
}

}  // namespace regard::nn
