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

// Sources that an encoder has read, and how many positions of each are real; undefined: all.
struct ReadSources {
  Variable memory;  // (B, Ls, E)
  Tensor lengths;   // (B)

  Encoded encoded() const { return {memory, lengths.defined() ? Mask::valid_lengths(lengths) : Mask(), {}}; }
  ReadSources of(const Tensor& sequences) const {  // those with these numbers, in this order
    const NoGrad no_grad;
    return {index_select(memory, 0, sequences), lengths.defined() ? index_select(lengths, 0, sequences) : Tensor()};
  }
};

struct Translation {
  Transformer model;
  ReadSources all, now;  // those that were given, and those that are still written about
  StackCache cache;
};

struct Spoken {
  Seq2Seq model;
  Seq2Seq::State begin, now;
};

// Throws unless there is one of the next tokens (B, n) for each source.
void require_texts(const Tensor& tokens, std::int64_t sources) {
  if (tokens.size(0) != sources)
    fail<ShapeError>("writer: tokens {} for {} sources: each source has one text", tokens.shape(), sources);
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
  const auto own = std::make_shared<Translation>(Translation{model, {{}, lengths}, {}, {}});
  eval(own->model);
  const Tensor read = padded_right(source, lengths, side);
  own->all.memory = own->model.encode(read, own->all.encoded().mask).memory;
  own->now = own->all;
  return {.read =
              [own](const Tensor& tokens) {
                const NoGrad none;
                require_texts(tokens, own->now.memory.size(0));
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

Writer writer(const Seq2Seq& model, const Tensor& source, const Tensor& lengths, PaddingSide side) {
  const NoGrad no_grad;
  const auto own = std::make_shared<Spoken>(Spoken{model, {}, {}});
  eval(own->model);
  own->begin = own->now = own->model.start(padded_right(source, lengths, side), lengths);
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
