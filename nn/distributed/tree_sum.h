#pragma once

#include "tensor/tensor.h"

namespace regard::distributed {

// A sum of many tensors whose order is fixed. Numbers of a computer are rounded after each addition, so (a + b) + c and
// a + (b + c) differ in their last digits, and a sum must say in which order it is taken. Here it is a binary tree over
// the leaves 0 … n − 1. With n = 7:
//
//   level 3                 sum
//   level 2         0–3             4–6
//   level 1     0–1     2–3     4–5      6      a node without a neighbour on its right goes up as it is
//   level 0    0   1   2   3   4   5   6
//
// The tree depends on n alone. Whoever has some of the leaves can add those that the tree adds first; the sum has the
// same bits, however the leaves were dealt out.
struct TreeNode {
  int level = 0;
  std::int64_t index = 0;  // among the nodes of its level: it has the leaves from index·2^level on

  bool operator==(const TreeNode&) const = default;
};

// Takes nodes from left to right and adds what the tree adds. What is left are the largest nodes that can be made.
class TreeSum {
 public:
  struct Subtree {
    TreeNode node;
    Tensor sum;
  };

  explicit TreeSum(std::int64_t leaves) : leaves_(leaves) {}

  void push(TreeNode node, Tensor sum);
  void push_leaf(std::int64_t leaf, Tensor value) { push({0, leaf}, std::move(value)); }

  const std::vector<Subtree>& subtrees() const { return subtrees_; }
  const Tensor& total() const;  // an error unless every leaf is there

 private:
  bool is_last(TreeNode node) const { return (node.index + 1) << node.level >= leaves_; }

  std::int64_t leaves_;
  std::vector<Subtree> subtrees_;
};

// The leaves [begin, end) that a rank has: as many as its neighbours, or one more or less.
struct Leaves {
  std::int64_t begin, end;
};
inline Leaves leaves_of(int rank, int ranks, std::int64_t leaves) {
  return {leaves * rank / ranks, leaves * (rank + 1) / ranks};
}

std::vector<TreeNode> nodes_of(Leaves range, std::int64_t leaves);  // that remain if these leaves are pushed

}  // namespace regard::distributed
