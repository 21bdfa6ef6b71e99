#pragma once

#include "nn/attention/cache.h"
#include "nn/attention/mask.h"
#include "nn/attention/skeleton.h"

#include <any>

namespace regard::nn {

// What a call of attention asks for besides its mask.
struct AttentionCall {
  Variable head_mask = {};  // (H) or (B, H): multiplies what each head contributes; gradients flow to it
  Cache* cache = nullptr;   // what earlier calls left; this call adds its own
  // For keys and values that stay the same, such as an encoder's: the first call fills it, and later ones ignore k and
  // v.
  Cache* memory = nullptr;
  std::int64_t offset = 0;  // the position of the first query, if no cache says it
  bool weights = false;  // fused attention returns its weights, too: as constants, and computed in a pass of their own
  // (B), i64: where each sequence begins, if they are padded on the left. Scores such as Rotary count from there; the
  // mask says that nobody sees what is before.
  Tensor begins = {};

  std::int64_t position() const { return cache ? cache->position() : offset; }  // of the first query
  // The same, counted in keys: a cache may have fewer keys than tokens came before.
  std::int64_t offset_in_keys() const { return cache ? cache->length() : offset; }
  // What remembers keys and values (null: nothing), where the next key stands, and whether all have been made before.
  Cache* keeper() const { return memory ? memory : cache; }
  std::int64_t key_position() const { return keeper() ? keeper()->position() : 0; }
  bool is_filled() const { return memory && memory->length() > 0; }
};

// Attention, as layers and models know it: from x_q (B, Lq, E), x_k and x_v (B, Lk, E) to an output (B, Lq, E) and, if
// it has any, weights. It lists its parameters, and keeps in the call's cache what it wants to remember.
template <class A>
concept AttentionModule = Module<A> &&
    requires(A& attention, const Variable& x, const Mask& mask, const AttentionCall& call) {
  { attention(x, x, x, mask, call) } -> std::same_as<AttentionOutput>;
};

class AnyAttention;
template <class A>
concept NoAttention = !std::same_as<A, AnyAttention> && !AttentionModule<A>;

// Any attention, as a value. Layers and models hold one, so they are compiled once for all types. To get it back by its
// type: layer.attention.as<MultiHeadAttention>().
class AnyAttention {
 public:
  template <class A>
  requires(!std::same_as<A, AnyAttention> && AttentionModule<A>) AnyAttention(A attention)  // NOLINT: meant to convert
      : held_(std::move(attention)),
        call_([](std::any& held, const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                 const AttentionCall& call) { return std::any_cast<A&>(held)(q, k, v, mask, call); }),
        visit_([](std::any& held, Visitor& v) { std::any_cast<A&>(held).visit(v); }) {}

  // A type that is no attention is refused here, and the compiler shows this line.
  template <NoAttention A>
  AnyAttention(A) = delete;  // it needs visit(Visitor&), and an AttentionOutput operator()(q, k, v, mask, call)

  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    return call_(held_, q, k, v, mask, call);
  }
  void visit(Visitor& v) { visit_(held_, v); }
  const std::type_info& held_type() const { return held_.type(); }
  template <class A>
  A& as() {
    if (held_type() != typeid(A)) fail<ValueError>("AnyAttention: it holds an attention of another type");
    return std::any_cast<A&>(held_);
  }

 private:
  std::any held_;
  AttentionOutput (*call_)(std::any& held, const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                           const AttentionCall& call);
  void (*visit_)(std::any& held, Visitor& v);
};

}  // namespace regard::nn
