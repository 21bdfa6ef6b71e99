#pragma once

#include "autograd/variable.h"

#include <functional>
#include <memory>

namespace regard::engine {
template <class T>
class TileScore;
}  // namespace regard::engine

namespace regard {

// A score that fused attention can compute, whatever function it was made from (score.h makes one): what it does to
// tiles, and the same with Variables for all pairs at once, (…, Lq, Lk), which is what the tiles are tested against.
// There q is (…, Lq, 1, D), k (…, 1, Lk, D), and where 1 is the length of others may stand.
struct FusedScore {
  std::shared_ptr<const engine::TileScore<float>> f32;
  std::shared_ptr<const engine::TileScore<double>> f64;
  std::function<Variable(const Variable& q, const Variable& k, const Variable& parameters)> composed;
  // of scores and of the positions of queries, (Lq, 1), of keys, (1, Lk), and of heads, (H, 1, 1); or empty
  std::function<Variable(const Variable& scores, const Variable& i, const Variable& j, const Variable& h)> modify = {};
  bool needs_parameters = false;
};

}  // namespace regard
