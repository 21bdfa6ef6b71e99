#include "nn/distributed/tree_sum.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"
#include "tests/catch.h"

using namespace regard;
using namespace regard::distributed;

namespace {

std::vector<Tensor> random_numbers(std::int64_t count, DType dtype = DType::f32) {
  Generator generator(7);
  std::vector<Tensor> all;
  for (std::int64_t i = 0; i < count; ++i) all.push_back(normal({5}, generator, 0, 1, dtype));
  return all;
}

}  // namespace

TEST_CASE("Seven leaves are added in the order that the picture of the tree shows") {
  const std::vector<Tensor> x = random_numbers(7);
  TreeSum sum(7);
  for (std::int64_t i = 0; i < 7; ++i) sum.push_leaf(i, x[static_cast<std::size_t>(i)]);
  const Tensor by_hand = ((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + x[6]);
  CHECK(largest_difference(sum.total(), by_hand) == 0);
  Tensor in_a_row = x[0];
  for (std::size_t i = 1; i < 7; ++i) in_a_row = in_a_row + x[i];
  CHECK(largest_difference(sum.total(), in_a_row) > 0);  // so the order can be seen in the last digits
}

TEST_CASE("A sum has the same bits however the leaves are dealt out") {
  for (std::int64_t leaves = 1; leaves <= 20; ++leaves) {
    const std::vector<Tensor> x = random_numbers(leaves);
    TreeSum alone(leaves);
    for (std::int64_t i = 0; i < leaves; ++i) alone.push_leaf(i, x[static_cast<std::size_t>(i)]);
    for (int ranks = 1; ranks <= leaves; ++ranks) {
      TreeSum together(leaves);
      for (int r = 0; r < ranks; ++r) {
        TreeSum own(leaves);
        const Leaves range = leaves_of(r, ranks, leaves);
        REQUIRE(range.end > range.begin);
        for (std::int64_t i = range.begin; i < range.end; ++i) own.push_leaf(i, x[static_cast<std::size_t>(i)]);
        const std::vector<TreeNode> nodes = nodes_of(range, leaves);
        REQUIRE(nodes.size() == own.subtrees().size());
        for (std::size_t k = 0; k < nodes.size(); ++k) {
          CHECK(nodes[k] == own.subtrees()[k].node);
          together.push(nodes[k], own.subtrees()[k].sum);
        }
      }
      CHECK(largest_difference(together.total(), alone.total()) == 0);
    }
  }
}

TEST_CASE("A rank has few nodes: one if all have the same power of 2 of leaves") {
  CHECK(nodes_of({0, 3}, 8) == std::vector<TreeNode>{{1, 0}, {0, 2}});
  CHECK(nodes_of({3, 6}, 8) == std::vector<TreeNode>{{0, 3}, {1, 2}});
  CHECK(nodes_of({6, 8}, 8) == std::vector<TreeNode>{{1, 3}});
  CHECK(nodes_of({4, 7}, 7) == std::vector<TreeNode>{{2, 1}});  // the 6 goes up as it is
  for (int ranks = 1; ranks <= 16; ranks *= 2)
    for (int r = 0; r < ranks; ++r) CHECK(nodes_of(leaves_of(r, ranks, 16), 16).size() == 1);
}

TEST_CASE("A total that lacks leaves is an error") {
  TreeSum sum(3);
  CHECK_THROWS_AS(sum.total(), ValueError);
  sum.push_leaf(0, ones({2}));
  sum.push_leaf(1, ones({2}));
  CHECK_THROWS_AS(sum.total(), ValueError);
  sum.push_leaf(2, ones({2}));
  CHECK(sum.total().at({0}) == 3);
}
