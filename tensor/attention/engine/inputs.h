#pragma once

#include "tensor/attention/visible.h"
#include "tensor/random/generator.h"

namespace regard {

// Attention without the matrix of all pairs:
//
//   outputᵢ = Σⱼ wᵢⱼ·vⱼ        wᵢⱼ = e^(sᵢⱼ − mᵢ)/lᵢ        lᵢ = Σⱼ e^(sᵢⱼ − mᵢ)
//
// for q (…, Lq, D), k (…, Lk, D), v (…, Lk, Dv). The scores sᵢⱼ are computed tile by tile, used, and forgotten. What is
// kept is the output and two numbers for each query: m, its largest score, and 1/l. From them a second pass computes
// the same weights again. (One number, m + log l, would do on paper. Beside a large m the logarithm would be rounded
// away.)

// Each weight is dropped with probability p, the others grow by 1/(1 − p). The numbers are a function of the position
// in (…, Lq, Lk), those that bernoulli() draws for a tensor of this shape: so a second pass finds them again.
struct WeightDropout {
  double p;
  Generator generator;
};

// Numbers of pairs, for scores that are modified by what is learned. A number depends on the matrix, and on how far the
// key lies ahead of the query. So they are a line, (…, Lq + Lk − 1), with axes in front that broadcast to those of q:
// the number of query i and key j is numbers[…, j − i + Lq − 1]. It holds Lq + Lk numbers where a bias would hold
// Lq·Lk. Or the number is a sum of two, numbers[…, i] + numbers[…, Lq + j], for numbers (…, Lq + Lk) of tokens. These
// may be f64 where q is f32: then the sum of each pair is taken before it is rounded.
struct PairLine {
  Tensor numbers;
  bool of_tokens = false;
};

struct AttentionInputs {
  Tensor q, k, v;          // heads may share keys and values: (B, G, Lk, D) beside (B, H, Lq, D), where G divides H
  Tensor parameters = {};  // of the score: broadcasts to (…, Lk, D); or undefined
  Visible visible = {};
  Tensor bias = {};         // added to the scores: broadcasts to (…, Lq, Lk); or undefined
  std::int64_t offset = 0;  // the position of the first query
  std::optional<WeightDropout> dropout = {};
  std::vector<PairLine> lines = {};
};

struct AttentionForward {
  Tensor output;  // (…, Lq, Dv)
  // m and 1/l, (…, Lq). Where nothing is seen both are 0; where only scores of −∞ are seen, m is 0 and 1/l is ∞. The
  // powers that go with 1/l are those of with_powers(m), in softmax_rows.h: e^(s − m) but for rounding, and in f32 0
  // below 2^−100.
  Tensor shifts, shares;
};

}  // namespace regard
