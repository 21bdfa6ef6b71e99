#pragma once

#include "autograd/variable.h"
#include "tensor/attention/pack.h"

#include <algorithm>

namespace regard {

// table[index] for modifiers that look up what depends on distance or head; beyond its ends the table goes on as it
// ends.
template <class T>
engine::Pack<T> look_up(const std::vector<double>& table, const engine::Pack<T>& index) {
  if (table.empty()) fail<ValueError>("look_up: the table is empty");
  engine::Pack<T> result;
  for (int n = 0; n < engine::Pack<T>::size; ++n) {
    const auto at = static_cast<std::int64_t>(index.lanes[n]), last = static_cast<std::int64_t>(table.size()) - 1;
    result.lanes[n] = static_cast<T>(table[static_cast<std::size_t>(std::clamp<std::int64_t>(at, 0, last))]);
  }
  return result;
}
Variable look_up(const std::vector<double>& table, const Variable& index);

}  // namespace regard
