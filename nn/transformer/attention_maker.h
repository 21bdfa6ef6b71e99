#pragma once

#include "nn/attention/any_attention.h"
#include "nn/attention/any_score.h"
#include "nn/layers/stated.h"
#include "nn/transformer/any_feed_forward.h"
#include "nn/transformer/residual.h"

namespace regard::nn {

struct LayerOptions {
  std::int64_t model, heads, hidden;  // E, H, and the width of the feed-forward part
  Stated<NormPlacement> placement;
  NormKind norm = NormKind::layer;
  double epsilon = 1e-5;
  FeedForwardMaker feed_forward = FeedForwardKind::relu;
  std::int64_t key_value_heads = 0;  // grouped queries: fewer heads of keys and values; 0: `heads`
  std::int64_t head_size = 0;        // D; 0: model/heads
  bool bias = true;                  // of all projections, and of LayerNorm
  double dropout = 0;                // of what each part adds
  double attention_dropout = 0;      // of weights
  DType dtype = DType::f32;
  Method method = Method::composed;
};

template <class F>
concept MakesAttention = AttentionModule<std::invoke_result_t<F, Generator&>>;
template <class F>
concept MakesNoAttention = NoAttention<std::invoke_result_t<F, std::int64_t, Generator&>>;

// How the attention of each layer is made. It is given as one of three:
//   ScaledDotProduct{}                                          a score: all layers get multi-head attention with it
//   [](Generator& g) { return AdditiveScore({…}, g); }          the same, with a score of its own for each layer
//   [](std::int64_t layer, Generator& g) { return Mine(…); }    any attention, layer by layer
// Layers made from one score share its parameters, as the layers of T5 share their biases.
class AttentionMaker {
 public:
  template <KindOfScore S>
  AttentionMaker(S score)  // NOLINT: meant to convert
      : AttentionMaker([one = AnyScore(std::move(score))](Generator&) { return one; }) {}

  template <class F>
  requires std::convertible_to<std::invoke_result_t<F, Generator&>, AnyScore> AttentionMaker(
      F score)  // NOLINT: meant to convert
      : make_([score](std::int64_t, const LayerOptions& o, Generator& g) { return around(score(g), o, g); }) {}

  template <class F>
  requires std::convertible_to<std::invoke_result_t<F, std::int64_t, Generator&>, AnyAttention> AttentionMaker(
      F attention)  // NOLINT: meant to convert
      : make_([attention](std::int64_t layer, const LayerOptions&, Generator& g) { return attention(layer, g); }) {}

  // One attention cannot serve all layers. It is refused here, and the compiler shows the line.
  template <AttentionModule A>
  AttentionMaker(A) = delete;  // it is one attention: give a function (std::int64_t layer, Generator& g) that makes it
  template <MakesAttention F>
  AttentionMaker(F) = delete;  // it makes attention, and no score: so it has to take (std::int64_t layer, Generator& g)
  template <MakesNoAttention F>
  AttentionMaker(F) = delete;  // it has to make what has visit(Visitor&), and operator()(q, k, v, mask, call)

  AnyAttention operator()(std::int64_t layer, const LayerOptions& options, Generator& generator) const {
    return make_(layer, options, generator);
  }

 private:
  static AnyAttention around(AnyScore score, const LayerOptions& options, Generator& generator);  // its heads
  std::function<AnyAttention(std::int64_t layer, const LayerOptions& options, Generator& generator)> make_;
};

}  // namespace regard::nn
