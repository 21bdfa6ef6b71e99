#pragma once

#include "tensor/memory/block.h"

#include <cstdint>

namespace regard::engine {

// Attention without the matrix of all pairs goes over it in tiles: a block of queries against a block of keys. Here is
// what a score has to say about a tile, and all that the passes over tiles know of it.

// The keys of a tile lie transposed, as do parameters of which each key has its own, and all gradients of keys: feature
// c of key j at c·step + j. So the same feature of neighbouring keys fills a register. `keys` is a multiple of
// key_multiple: behind those that count there are copies of the last one, or keys that nobody sees, and their scores
// will be masked.
template <class T>
struct Tile {
  std::int64_t queries, keys, features;
  std::int64_t real_keys;  // those that count
  const T* q;              // query i from i·q_step on
  std::int64_t q_step;
  const T* k = nullptr;
  std::int64_t k_step;
  const T* k_rows = nullptr;      // key j from j·features on: for gradients of queries, if the score asks for them
  const T* parameters = nullptr;  // per key, like k, or one for each feature
  bool parameters_per_key = false;
  std::int64_t first_query, first_key, head;  // positions, for scores that depend on them
  bool skips_zeros;                           // see AttentionProblem: a pair of which the gradient is 0 adds nothing
  const T* lines = nullptr;                   // number n of query i and key j: lines[n·lines_step + j − i]
  std::int64_t lines_step = 0;
  // Numbers of tokens stand in such a line as well. `rests` behind each stands what its rounding has left off.
  std::int64_t first_row = 0, all_rows = 0, rests = 0;  // the number of the first query, and how many there are in all
  T* slopes = nullptr;  // planes of k_step × queries for what a score keeps from scores() to gradients(); or null

  std::int64_t plane() const { return queries * k_step; }
  // Where the numbers of the tile's queries and keys begin, in a line of which the place of pair (0, 0) is given.
  template <class X>
  X* of_keys(X* line) const {
    return line + 1 + first_row;
  }
  template <class X>
  X* of_queries(X* line) const {
    return of_keys(line) - all_rows - first_key + first_row;
  }
};

// Where the gradients of a tile are added; null where none is wanted. Those of parameters that keys share are packs of
// lanes, one for each feature. Those of numbers of pairs lie as the numbers do.
template <class T>
struct TileGradients {
  T* q;
  std::int64_t q_step;
  T* k;
  T* parameters;
  T* lines = nullptr;
};

template <class T>
inline constexpr std::int64_t key_multiple = 128 / static_cast<std::int64_t>(sizeof(T));

template <class T>
std::int64_t padded(std::int64_t keys) {
  return (keys + key_multiple<T> - 1) / key_multiple<T> * key_multiple<T>;
}

// How far apart the rows of a tile of so many keys lie. A power of two would send all rows to the same few lines of the
// cache.
template <class T>
std::int64_t step_of_rows(std::int64_t keys) {
  return padded<T>(keys) + static_cast<std::int64_t>(cache_line_bytes / sizeof(T));
}

struct BlockSize {
  std::int64_t queries, keys;
};

template <class T>
class TileScore {
 public:
  virtual ~TileScore() = default;

  // scores(i, j) for query i and key j, rows k_step apart. Where tile.slopes is given, gradients() of the tile follows.
  virtual void scores(const Tile<T>& tile, T* scores) const = 0;

  // Given ∂L/∂scores: adds Σⱼ ∂(i, j)·∂scores/∂qᵢ to the gradient of each query, and so on.
  virtual void gradients(const Tile<T>& tile, const T* gradient, const TileGradients<T>& to) const = 0;

  virtual BlockSize block(std::int64_t features) const = 0;  // how many queries and keys make a good tile
  virtual double key_factor() const { return 1; }            // keys are multiplied by it before they are put into tiles
  virtual bool wants_key_rows() const { return false; }      // in its gradients; see Tile
  virtual std::int64_t planes() const { return 0; }          // how many of tile.slopes it fills in, and uses
  virtual bool asks_for_places() const { return false; }     // where a query stands, or in which head
  virtual bool may_have_infinite_slopes() const { return false; }  // where its numbers are finite
};

}  // namespace regard::engine
