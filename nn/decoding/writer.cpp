#include "nn/decoding/writer.h"

#include "autograd/ops/index.h"
#include "nn/text/length_batches.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/view.h"

#include <memory>

namespace regard::nn {
namespace {

// Sources that an encoder has read, and what is remembered of the text about each.
struct Translation {
  Variable memory;  // (B, Ls, E)
  Tensor lengths;   // (B): how many positions of each are real; undefined: all
  StackCache cache = {};

  Encoded encoded() const { return {memory, lengths.defined() ? Mask::valid_lengths(lengths) : Mask(), {}}; }
  std::int64_t sequences() const { return memory.size(0); }
  Translation of(const Tensor& sequences) const {  // those with these numbers, in this order
    Translation some{index_select(memory, 0, sequences),
                     lengths.defined() ? index_select(lengths, 0, sequences) : Tensor(), cache};
    some.cache.select(sequences);
    return some;
  }
};

// A writer about sources, with a text for each. `read` takes the next tokens of all (B, n) into the state, and gives
// the logits of those that follow, (B, V).
template <class Model, class State, class Read>
Writer about(const std::shared_ptr<Model>& model, const State& begin, std::int64_t longest, const Read& read) {
  const auto now = std::make_shared<State>(begin);
  return {.read =
              [=](const Tensor& tokens) {
                const NoGrad no_grad;
                if (tokens.size(0) != now->sequences())
                  fail<ShapeError>("writer: tokens {} for {} sources: each source has one text", tokens.shape(),
                                   now->sequences());
                return read(*model, *now, tokens);
              },
          .select =
              [=](const Tensor& sequences) {
                const NoGrad no_grad;
                *now = now->of(sequences);
              },
          .vocabulary = model->vocabulary(),
          .longest = longest,
          .forget = [=] { *now = begin; }};
}

// Tokens that are padded on the right, from such that are padded on either side; all are real if no lengths are given.
Tensor padded_right(const Tensor& tokens, const Tensor& lengths, PaddingSide side) {
  if (!lengths.defined()) return tokens;
  require_padded("writer", tokens, lengths);
  if (side == PaddingSide::right) return tokens;
  const std::int64_t all = tokens.size(1);
  const Tensor from = unsqueeze(arange(all), 0) - unsqueeze(lengths, 1);  // less than 0 where it is real
  return gather(tokens, 1, from + to(less(from, 0), DType::i64) * static_cast<double>(all));
}

}  // namespace

Writer writer(const DecoderModel& model) {
  const auto own = std::make_shared<DecoderModel>(model);  // a copy shares the parameters
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

Writer writer(const Transformer& model, const Tensor& source, const Tensor& lengths, PaddingSide side) {
  const NoGrad no_grad;
  const auto own = std::make_shared<Transformer>(model);
  eval(*own);
  Translation begin{{}, lengths};
  const Tensor read = padded_right(source, lengths, side);
  begin.memory = own->encode(read, begin.encoded().mask).memory;
  return about(own, begin, own->longest(), [](Transformer& one, Translation& now, const Tensor& tokens) {
    return select(one.decode(tokens, now.encoded(), {.cache = &now.cache, .last = true}), 1, -1).value();
  });
}

Writer writer(const Seq2Seq& model, const Tensor& source, const Tensor& lengths, PaddingSide side) {
  const NoGrad no_grad;
  const auto own = std::make_shared<Seq2Seq>(model);
  eval(*own);
  const Seq2Seq::State begin = own->start(padded_right(source, lengths, side), lengths);
  return about(own, begin, 0, [](Seq2Seq& one, Seq2Seq::State& now, const Tensor& tokens) {
    Tensor logits;
    for (std::int64_t t = 0; t < tokens.size(1); ++t) logits = one.step(select(tokens, 1, t), now).logits.value();
    return logits;
  });
}

}  // namespace regard::nn
