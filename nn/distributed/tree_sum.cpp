#include "nn/distributed/tree_sum.h"

#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/ops/arithmetic.h"

namespace regard::distributed {

// book: push
void TreeSum::push(TreeNode node, Tensor sum) {
  while (true) {
    if (node.index % 2 == 0) {
      if (node.index == 0 || !is_last(node)) break;  // its neighbour is still to come, or it is the top
    } else {
      if (parts_.empty() || parts_.back().node != TreeNode{node.level, node.index - 1}) break;
      sum = parts_.back().sum + sum;
      parts_.pop_back();
    }
    node = {node.level + 1, node.index / 2};
  }
  parts_.push_back({node, std::move(sum)});
}
// book: /push

const Tensor& TreeSum::total() const {
  if (parts_.size() != 1 || parts_[0].node.index != 0 || !is_last(parts_[0].node))
    fail<ValueError>("a sum over {} leaves was asked for before all of them were there", leaves_);
  return parts_[0].sum;
}

std::vector<TreeNode> nodes_of(Leaves range, std::int64_t leaves) {
  TreeSum sum(leaves);
  for (std::int64_t leaf = range.begin; leaf < range.end; ++leaf) sum.push_leaf(leaf, zeros({0}));
  std::vector<TreeNode> nodes;
  for (const TreeSum::Part& part : sum.parts()) nodes.push_back(part.node);
  return nodes;
}

}  // namespace regard::distributed
