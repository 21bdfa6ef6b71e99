#include "nn/distributed/tree_sum.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"

namespace regard::distributed {

void TreeSum::push(TreeNode node, Tensor sum) {
  while (true) {
    if (node.index % 2 == 0) {
      if (node.index == 0 || !is_last(node)) break;  // its neighbour is still to come, or it is the top
    } else {
      if (subtrees_.empty() || subtrees_.back().node != TreeNode{node.level, node.index - 1}) break;
      sum = subtrees_.back().sum + sum;
      subtrees_.pop_back();
    }
    node = {node.level + 1, node.index / 2};
  }
  subtrees_.push_back({node, std::move(sum)});
}

const Tensor& TreeSum::total() const {
  if (subtrees_.size() != 1 || subtrees_[0].node.index != 0 || !is_last(subtrees_[0].node))
    fail<ValueError>("a sum over {} leaves was asked for before all of them were there", leaves_);
  return subtrees_[0].sum;
}

std::vector<TreeNode> nodes_of(Leaves range, std::int64_t leaves) {
  TreeSum sum(leaves);
  for (std::int64_t leaf = range.begin; leaf < range.end; ++leaf) sum.push_leaf(leaf, zeros({0}));
  std::vector<TreeNode> nodes;
  for (const TreeSum::Subtree& subtree : sum.subtrees()) nodes.push_back(subtree.node);
  return nodes;
}

}  // namespace regard::distributed
