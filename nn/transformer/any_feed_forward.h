#pragma once

#include "nn/transformer/feed_forward.h"

#include <any>

namespace regard::nn {

// A feed-forward part, as layers know it: x (B, L, E) → (B, L, E), each position by itself.
template <class F>
concept FeedForwardModule = Module<F> && requires(F& part, const Variable& x) {
  { part(x) } -> std::same_as<Variable>;
};

// Any of them, as a value. To get it back by its type: layer.feed_forward.as<FeedForward>().
class AnyFeedForward {
 public:
  template <class F>
  requires(!std::same_as<F, AnyFeedForward> && FeedForwardModule<F>) AnyFeedForward(F part)  // NOLINT: meant to convert
      : held_(std::move(part)),
        call_([](std::any& held, const Variable& x) { return std::any_cast<F&>(held)(x); }),
        visit_([](std::any& held, Visitor& v) { std::any_cast<F&>(held).visit(v); }) {}

  Variable operator()(const Variable& x) { return call_(held_, x); }
  void visit(Visitor& v) { visit_(held_, v); }
  const std::type_info& held_type() const { return held_.type(); }
  template <class F>
  F& as() {
    if (held_type() != typeid(F)) fail<ValueError>("AnyFeedForward: it holds a part of another type");
    return std::any_cast<F&>(held_);
  }

 private:
  std::any held_;
  Variable (*call_)(std::any& held, const Variable& x);
  void (*visit_)(std::any& held, Visitor& v);
};

struct LayerOptions;

// How the feed-forward part of each layer is made. It is given as one of two:
//   FeedForwardKind::gelu                                      all layers get a FeedForward of that kind
//   [](std::int64_t layer, Generator& g) { return Mine(…); }   any part, layer by layer
class FeedForwardMaker {
 public:
  FeedForwardMaker(FeedForwardKind kind);  // NOLINT: meant to convert
  template <class F>
  requires std::convertible_to<std::invoke_result_t<F, std::int64_t, Generator&>, AnyFeedForward> FeedForwardMaker(
      F part)  // NOLINT: meant to convert
      : make_([part](std::int64_t layer, const LayerOptions&, Generator& g) { return part(layer, g); }) {}

  AnyFeedForward operator()(std::int64_t layer, const LayerOptions& options, Generator& generator) const {
    return make_(layer, options, generator);
  }

 private:
  std::function<AnyFeedForward(std::int64_t layer, const LayerOptions& options, Generator& generator)> make_;
};

}  // namespace regard::nn
