#pragma once

#include "nn/attention/multi_head.h"
#include "nn/attention/positions/rotary.h"
#include "nn/layers/norm.h"

namespace regard::nn {

// The same numbers in two orders. Writing keys and values out is cheaper for long inputs: a pair costs D + R + Dv
// products. Absorbed, it costs 2C + R, but nothing of a head is made for each key: cheaper when one query is decoded.
enum class LatentForm {
  expanded,  // qᵀ(W_uk·c), and W_uv·c mixed
  absorbed,  // (W_ukᵀ·q)ᵀc, and W_uv·(c mixed): all heads look at the same latents
};

struct LatentOptions {
  std::int64_t model, heads, latent;  // E, H, C
  std::int64_t head_size, turned;     // D without positions, and R with them
  std::int64_t head_value_size;       // Dv
  RotateOptions rotate;               // how those R are turned
  std::int64_t source = 0;            // the size of what keys and values are made from; 0: `model`
  double dropout = 0;
  DType dtype = DType::f32;
  Method method = Method::composed;
};

// Latent attention (MLA, DeepSeek-V2). Keys and values of all heads are made of one short latent c of a token, and only
// that is remembered, with a key r that is turned by its position and shared by all heads:
//   c = norm(W_c·x)    r = turn(W_kr·x)    kʰ = [W_ukʰ·c; r]    vʰ = W_uvʰ·c    qʰ = [W_qʰ·x; turn(W_qrʰ·x)]
// The score is the dot product over √(D + R). So a token takes C + R numbers of the cache, where H heads take 2·H·D.
struct LatentAttention {
  std::int64_t heads;
  LatentForm form = LatentForm::expanded;
  RotateOptions turn;
  Linear w_q, w_qr, w_c, w_kr, w_uk, w_uv, w_o;
  RMSNorm norm;
  Attention attention;

  LatentAttention(const LatentOptions& options, Generator& generator);
  void visit(Visitor& v) {
    v("w_q", w_q);
    v("w_qr", w_qr);
    v("w_c", w_c);
    v("w_kr", w_kr);
    v("w_uk", w_uk);
    v("w_uv", w_uv);
    v("w_o", w_o);
    v("norm", norm);
    attention.visit(v);
  }
  // k and v must be one Variable, given twice: both are made of one latent.
  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {});
};

}  // namespace regard::nn
