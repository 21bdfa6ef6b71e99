#pragma once

#include "nn/attention/cache.h"
#include "nn/attention/mask.h"
#include "nn/attention/skeleton.h"

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
  requires(!std::same_as<A, AnyAttention> && AttentionModule<A>) AnyAttention(A attention)
      : held_(std::make_unique<Of<A>>(std::move(attention))) {}  // NOLINT: meant to convert

  // What is none is refused here, and the compiler shows this line.
  template <NoAttention A>
  AnyAttention(A) = delete;  // it needs visit(Visitor&), and an AttentionOutput operator()(q, k, v, mask, call)

  AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const Mask& mask = {},
                             const AttentionCall& call = {}) {
    return held_->call(q, k, v, mask, call);
  }
  void visit(Visitor& v) { held_->visit(v); }
  const std::type_info& held_type() const { return held_->type(); }
  template <class A>
  A& as() {
    if (held_type() != typeid(A)) fail<ValueError>("AnyAttention: it holds an attention of another type");
    return static_cast<Of<A>&>(*held_.operator->()).attention;
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::unique_ptr<Interface> copy() const = 0;
    virtual const std::type_info& type() const = 0;
    virtual AttentionOutput call(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                                 const AttentionCall& call) = 0;
    virtual void visit(Visitor& v) = 0;
  };
  template <class A>
  struct Of final : Interface {
    A attention;

    explicit Of(A one) : attention(std::move(one)) {}
    std::unique_ptr<Interface> copy() const override { return std::make_unique<Of>(attention); }
    const std::type_info& type() const override { return typeid(A); }
    AttentionOutput call(const Variable& q, const Variable& k, const Variable& v, const Mask& mask,
                         const AttentionCall& call) override {
      return attention(q, k, v, mask, call);
    }
    void visit(Visitor& v) override { attention.visit(v); }
  };

  Held<Interface> held_;
};

}  // namespace regard::nn
