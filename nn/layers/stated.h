#pragma once

#include <utility>

namespace regard::nn {

// An option that has no default: an options struct in which it is left out does not compile.
template <class T>
struct Stated {
  T value;

  Stated(T given) : value(std::move(given)) {}  // NOLINT: implicit, so that .placement = NormPlacement::pre sets it
  operator const T&() const { return value; }   // NOLINT: implicit
};

}  // namespace regard::nn
