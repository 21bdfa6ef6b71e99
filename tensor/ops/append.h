#pragma once

#include "tensor/tensor.h"

#include <atomic>
#include <memory>

namespace regard {

// Memory in which a tensor can grow along its axis −2. It is longer than what stands in it, so that rows that come one
// by one need not be copied again each time. Copies of a Room are the same memory.
struct Room {
  struct AppendedRows {
    Tensor all;                        // (…, capacity, D), of which the first `filled` rows stand for something
    std::atomic<std::int64_t> filled;  // rows that somebody may see never change
  };
  std::shared_ptr<AppendedRows> rows = {};
};

// x (…, n, D) and `more` (…, m, D) end to end, (…, n + m, D), as cat gives them. Where x is what stands in the room,
// `more` is written behind it, and x is not copied; else there is a new room, twice as long as it must be. x may be
// undefined: nothing.
Tensor append(const Tensor& x, const Tensor& more, Room& room);

}  // namespace regard
