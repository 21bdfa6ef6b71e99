#pragma once

#include "autograd/ops/arithmetic.h"
#include "nn/attention/watch.h"
#include "nn/layers/dropout.h"

namespace regard::nn {

struct AttentionOptions {
  double dropout = 0;  // of weights, in training
  std::uint64_t seed = 0;
  Method method = Method::composed;
};

// Each query looks at all keys and takes the mean of their values, weighted by how well they match:
//
//   αᵢⱼ = softmaxⱼ a(qᵢ, kⱼ)        outputᵢ = Σⱼ αᵢⱼ·vⱼ
//
// The score a is all that makes one kind of attention differ from another:
//   Attention attention(AdditiveScore({.query_size = 20, .key_size = 2, .hidden = 8}, generator), {.dropout = 0.1});
//   auto [output, weights] = attention(queries, keys, values, Mask::valid_lengths({2, 6}));
template <AnyScore S>
struct Attention {
  S score;
  Dropout dropout;
  Method method;

  explicit Attention(S with_score, const AttentionOptions& options = {})
      : score(std::move(with_score)), dropout(options.dropout, options.seed), method(options.method) {
    if (method == Method::fused && !Fusible<S>)
      fail<ValueError>("Attention: this score has no fused form, as {}; use Method::composed", why_not_fusible<S>());
  }

  void visit(Visitor& v) {
    if constexpr (Module<S>) v("score", score);
    v("dropout", dropout);
  }

  // q (…, Lq, Dq), k (…, Lk, Dk), v (…, Lk, Dv). Where q has heads and k and v have one, they serve all of them:
  // (B, 1, Lk, D) beside (B, H, Lq, D). The first query stands at position `offset`: in decoding, after as
  // many keys as have gone before.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             std::int64_t offset = 0) {
    const Variable keys = pairs::for_all_queries(q, k), values = pairs::for_all_queries(q, v);
    return attend(placed(score, q, offset), placed(score, keys, 0), values, resolve(q, keys, values, mask, offset),
                  offset);
  }

  // The same for a mask that is worked out already, and queries and keys that are placed. Fused attention returns
  // weights only if they are asked for: as constants, computed in a pass of their own.
  AttentionOutput attend(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                         std::int64_t offset, bool with_weights = false) {
    if constexpr (Fusible<S>)
      if (method == Method::fused) {
        const Variable weights = with_weights ? weights_alone(q, k, v, mask, offset) : Variable();
        return {attend_fused(q, k, v, mask, offset), weights};
      }
    const AttentionOutput made = attend_composed(q, k, v, mask, offset);
    for (AttentionWatch* watch = attention_watch(); watch; watch = attention_watch(watch->older()))
      tell_composed(*watch, sight(made, v, mask, offset), comparing(score),
                    pairs::without_blind_queries(q, mask.seeing), pairs::without_unseen_keys(k, mask.seen), mask);
    return made;
  }

  // The output alone, from tiles.
  Variable fused(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                 std::int64_t offset = 0) requires Fusible<S> {
    const Variable keys = pairs::for_all_queries(q, k), values = pairs::for_all_queries(q, v);
    return attend_fused(placed(score, q, offset), placed(score, keys, 0), values,
                        resolve(q, keys, values, mask, offset), offset);
  }

  // book: composed
  AttentionOutput attend_composed(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                                  std::int64_t offset) {
    const Shape shape = pairs::shape_of(q, k, v);
    const Tensor keep = visible_table(mask.visible, shape, q.dtype());
    Variable scores = evaluate(comparing(score), pairs::without_blind_queries(q, mask.seeing),
                               pairs::without_unseen_keys(k, mask.seen), offset);
    if (mask.bias.defined()) scores = scores + mask.bias;
    const Variable weights = normalize(score, scores, keep);
    return {pairs::mix(dropout(weights), pairs::without_unseen_keys(v, mask.seen), keep), weights};
  }
  // book: /composed

  Variable attend_fused(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                        std::int64_t offset) requires Fusible<S> {
    const auto form = form_of(q, k, mask, offset);
    const Variable output = output_of(form, v, mask, offset);
    for (AttentionWatch* watch = attention_watch(); watch; watch = attention_watch(watch->older()))
      tell_fused(*watch, sight({output, {}}, v, mask, offset), comparing(score), form,
                 pairs::without_blind_queries(q, mask.seeing), pairs::without_unseen_keys(k, mask.seen), mask);
    return output;
  }

  // The weights of all pairs by the fused score, (…, Lq, Lk): constants.
  Tensor weights_alone(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                       std::int64_t offset) const requires Fusible<S> {
    return weights_of(form_of(q, k, mask, offset), v, mask, offset, all_queries(q));
  }

 private:
  auto form_of(const Variable& q, const Variable& k, const ResolvedMask& mask,
               std::int64_t offset) const requires Fusible<S> {
    return comparing(score).fused(pairs::without_blind_queries(q, mask.seeing),
                                  pairs::without_unseen_keys(k, mask.seen), offset);
  }

  Variable output_of(const FusedForm& form, const Variable& v, const ResolvedMask& mask, std::int64_t offset) {
    FusedOptions options = options_of(form, mask, offset);
    options.dropout = dropout.training ? dropout.p : 0;
    options.generator = &dropout.generator;
    return fused_attention(form.score, form.q, form.k, v, options);
  }

  // Dropout drops from the sum of all weights, so it is the same in each term.
  Variable output_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask,
                     std::int64_t offset) {
    const Generator before = dropout.generator;
    Variable total;
    for (const FusedTerm& term : terms) {
      dropout.generator = before;
      const Variable one = term.factor * output_of(term.form, v, mask, offset);
      total = total.defined() ? total + one : one;
    }
    return total;
  }

  Sight sight(const AttentionOutput& made, const Variable& v, const ResolvedMask& mask, std::int64_t offset) const {
    return {.module = this,
            .bytes = sizeof(*this),
            .output = made.output,
            .weights = made.weights,
            .v = pairs::without_unseen_keys(v, mask.seen).value(),
            .offset = offset,
            .dropped = dropout.training && dropout.p > 0};
  }

  ResolvedMask resolve(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                       std::int64_t offset) const {
    return mask.resolve(pairs::shape_of(q, k, v), q.dtype(), offset);
  }
};

}  // namespace regard::nn
