#pragma once

#include "nn/held.h"
#include "nn/transformer/feed_forward.h"

#include <functional>

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
  requires(!std::same_as<F, AnyFeedForward> && FeedForwardModule<F>) AnyFeedForward(F part)
      : held_(std::make_unique<Of<F>>(std::move(part))) {}  // NOLINT: meant to convert

  Variable operator()(const Variable& x) { return held_->call(x); }
  void visit(Visitor& v) { held_->visit(v); }
  const std::type_info& held_type() const { return held_->type(); }
  template <class F>
  F& as() {
    if (held_type() != typeid(F)) fail<ValueError>("AnyFeedForward: it holds a part of another type");
    return static_cast<Of<F>&>(*held_.operator->()).part;
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    virtual std::unique_ptr<Interface> copy() const = 0;
    virtual const std::type_info& type() const = 0;
    virtual Variable call(const Variable& x) = 0;
    virtual void visit(Visitor& v) = 0;
  };
  template <class F>
  struct Of final : Interface {
    F part;

    explicit Of(F one) : part(std::move(one)) {}
    std::unique_ptr<Interface> copy() const override { return std::make_unique<Of>(part); }
    const std::type_info& type() const override { return typeid(F); }
    Variable call(const Variable& x) override { return part(x); }
    void visit(Visitor& v) override { part.visit(v); }
  };

  Held<Interface> held_;
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
