// How much attention computes: what nobody sees costs nothing.
#include "tensor/attention/engine/dot_score.h"
#include "tensor/attention/engine/passes.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <atomic>

namespace regard {
namespace {

// Products in tiles of 32 queries and 64 keys, which counts the pairs it is asked for.
class Counting final : public engine::TileScore<double> {
 public:
  void scores(const engine::Tile<double>& tile, double* scores) const override {
    pairs += tile.queries * tile.keys;
    dot_.scores(tile, scores);
  }
  void gradients(const engine::Tile<double>& tile, const double* gradient,
                 const engine::TileGradients<double>& to) const override {
    dot_.gradients(tile, gradient, to);
  }
  engine::BlockSize block(std::int64_t) const override { return {32, 64}; }
  bool wants_key_rows() const override { return true; }

  mutable std::atomic<std::int64_t> pairs = 0;

 private:
  engine::DotTiles<double> dot_{1};
};

}  // namespace

// Of 640 queries each sees itself and the 31 before it. The 32 queries of a block see 63 keys, which half tiles of 32
// keys cover as 64; the first block sees 32. That is 20·32·64 − 32·32 pairs of 640², forward as well as backward.
TEST_CASE("attention: only the parts of tiles that some query sees are computed") {
  AttentionInputs in{noise({640, 4}, 1), noise({640, 4}, 2), noise({640, 3}, 3)};
  for (std::int64_t i = 0; i < 640; ++i) in.visible.ranges.push_back({i - 31, i + 1});
  const Counting score;
  const AttentionForward made = attention_forward<double>(in, score);
  CHECK(score.pairs == 20 * 32 * 64 - 32 * 32);
  score.pairs = 0;
  attention_gradients<double>(in, score, made, {noise({640, 3}, 4)}, {true, true, true, false, false});
  CHECK(score.pairs == 20 * 32 * 64 - 32 * 32);
  score.pairs = 0;
  attention_rows<double>(in, score, made, {284});  // sees 3 keys at the end of a tile, and 29 of the next
  CHECK(score.pairs == 32 + 32);
}

}  // namespace regard
