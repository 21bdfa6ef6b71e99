#pragma once

namespace regard::nn {

// Which features make a pair that rotary positions turn. Weights trained with one layout give wrong results, silently,
// with the other.
enum class RotaryLayout {
  interleaved,  // neighbours: (0, 1), (2, 3), …
  halves,       // one from each half: (0, D/2), (1, D/2 + 1), …
};

}  // namespace regard::nn
