#pragma once

#include "nn/recurrent/seq2seq.h"
#include "nn/transformer/transformer.h"

#include <functional>
#include <memory>

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

// Throws unless there is one of the next tokens (B, n) for each source.
void require_texts(const Tensor& tokens, std::int64_t sources);

// Where tokens (B, L) of different lengths (B) are filled up to the same.
enum class PaddingSide { left, right };

// Tokens that are padded on the right, from such that are padded on either side; all are real if no lengths are given.
Tensor padded_right(const char* function, const Tensor& tokens, const Tensor& lengths, PaddingSide side);

// What the model writes about sources, a text for each: tokens (B, Ls), of which `lengths` (B) are real, or all if none
// are given. A text does not depend on the padding, on either side, or on the other sources.
Writer writer(const Transformer& model, const Tensor& source, const Tensor& lengths = {},
              PaddingSide side = PaddingSide::right);

template <class Decoder>
Writer writer(const Seq2Seq<Decoder>& model, const Tensor& source, const Tensor& lengths = {},
              PaddingSide side = PaddingSide::right) {
  struct Own {
    Seq2Seq<Decoder> model;
    typename Seq2Seq<Decoder>::State begin, now;
  };
  const NoGrad no_grad;
  const auto own = std::make_shared<Own>(Own{model, {}, {}});
  eval(own->model);
  own->begin = own->now = own->model.start(padded_right("writer", source, lengths, side), lengths);
  return {.read =
              [own](const Tensor& tokens) {
                const NoGrad none;
                require_texts(tokens, own->now.sequences());
                Tensor logits;
                for (std::int64_t t = 0; t < tokens.size(1); ++t)
                  logits = own->model.step(select(tokens, 1, t), own->now).logits.value();
                return logits;
              },
          .select =
              [own](const Tensor& sequences) {
                const NoGrad none;
                own->now = own->now.of(sequences);
              },
          .vocabulary = own->model.vocabulary(),
          .forget = [own] { own->now = own->begin; }};
}

}  // namespace regard::nn
