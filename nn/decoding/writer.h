#pragma once

#include "nn/recurrent/seq2seq.h"
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

  // Goes on with the sequences of these numbers (i64), in this order: some may have ended, and others go on in several
  // ways.
  std::function<void(const Tensor& sequences)> select;

  std::int64_t vocabulary;   // V
  std::int64_t longest = 0;  // no sequence may be longer; 0: no limit

  // Forgets what was read: the next tokens begin new sequences. A model without a memory needs no such function.
  std::function<void()> forget = {};

  void begin() const {
    if (forget) forget();
  }
};
// book: /writer

// The model as it is, but for dropout, which is switched off. Each writer has a memory of its own.
Writer writer(const DecoderModel& model);

// The side on which the shorter of several sequences, tokens (B, L), are padded.
enum class PaddingSide { left, right };

// What the model writes about sources, a text for each: tokens (B, Ls), of which `lengths` (B) are real, or all if none
// are given. A text does not depend on the padding, on either side, or on the other sources.
Writer writer(const Transformer& model, const Tensor& source, const Tensor& lengths = {},
              PaddingSide side = PaddingSide::right);
Writer writer(const Seq2Seq& model, const Tensor& source, const Tensor& lengths = {},
              PaddingSide side = PaddingSide::right);

}  // namespace regard::nn
