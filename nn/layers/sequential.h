#pragma once

#include "nn/module.h"

#include <tuple>

namespace regard::nn {

// One layer after another:  Sequential net{Linear({.in = 1, .out = 16}, g), Tanh{}, Linear({.in = 16, .out = 1}, g)};
// In braces the layers are made from left to right, so that a seed gives the same weights with every compiler; in
// parentheses each compiler chooses an order of its own.
// The layers are named 0, 1, …; std::get<0>(net.layers) is the first. Anything that can be called with a Variable is a
// layer; what is no module, such as a lambda, has nothing to list. The first layer may take something else: Embedding
// takes indexes.
template <class... Layers>
struct Sequential {
  std::tuple<Layers...> layers;

  explicit Sequential(Layers... each) : layers(std::move(each)...) {}

  void visit(Visitor& v) {
    std::size_t i = 0;
    const auto list = [&](auto& layer) {
      if constexpr (Module<std::remove_reference_t<decltype(layer)>>) v(std::to_string(i), layer);
      ++i;
    };
    std::apply([&](auto&... each) { (list(each), ...); }, layers);
  }

  template <class Input>
  Variable operator()(const Input& x) {  // not const: dropout moves on in its random numbers
    return std::apply([&](auto& first, auto&... rest) { return after(first(x), rest...); }, layers);
  }
  template <class Input>
  Variable operator()(const Input& x) const {
    return std::apply([&](const auto& first, const auto&... rest) { return after(first(x), rest...); }, layers);
  }

 private:
  static_assert(sizeof...(Layers) > 0, "Sequential: there is no layer");

  static Variable after(Variable x) { return x; }
  template <class First, class... Rest>
  static Variable after(const Variable& x, First& first, Rest&... rest) {
    return after(first(x), rest...);
  }
};

}  // namespace regard::nn
