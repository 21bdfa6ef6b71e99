#pragma once

#include <type_traits>

namespace regard::math {

// True for NaN of a real type; integers have none.
template <class T>
constexpr bool is_nan_number(T value) {
  if constexpr (std::is_floating_point_v<T>) return value != value;
  return false;
}

}  // namespace regard::math
