#pragma once

#include "nn/attention/any_score.h"
#include "nn/attention/mask.h"
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
// Kinds of attention differ in the score a, and a few in what replaces softmax:
//   Attention attention(AdditiveScore({.query_size = 20, .key_size = 2, .hidden = 8}, generator), {.dropout = 0.1});
//   auto [output, weights] = attention(queries, keys, values, Mask::valid_lengths({2, 6}));
struct Attention {
  AnyScore score;
  Dropout dropout;
  Method method;

  explicit Attention(AnyScore score, const AttentionOptions& options = {});
  void visit(Visitor& v);

  // q (…, Lq, Dq), k (…, Lk, Dk), v (…, Lk, Dv). Heads may share keys and values: (B, G, Lk, D) beside (B, H, Lq, D),
  // where G divides H. The first query stands at position `offset`: in decoding, the number of earlier keys.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             std::int64_t offset = 0);

  // The same with a resolved mask, and queries and keys that are placed. The caller has replaced the keys and values
  // that no query sees, and the queries that see no key, as they may hold NaN. Fused attention returns weights only if
  // they are asked for: as constants, computed in a pass of their own.
  AttentionOutput attend(const Variable& q, const Variable& k, const Variable& v, const ResolvedMask& mask,
                         std::int64_t offset, bool with_weights = false);

 private:
  AttentionOutput composed(const AnyScore& placed, const Variable& q, const Variable& k, const Variable& v,
                           const Tensor& keep, const Variable& bias, std::int64_t offset);
  Variable fused(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask, std::int64_t offset);
};

// The weights of all queries, or of some, by fused scores, (…, queries, Lk): constants, computed again.
Tensor weights_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask,
                  std::int64_t offset);
Tensor weights_of(const std::vector<FusedTerm>& terms, const Variable& v, const ResolvedMask& mask, std::int64_t offset,
                  const std::vector<std::int64_t>& queries);

}  // namespace regard::nn
