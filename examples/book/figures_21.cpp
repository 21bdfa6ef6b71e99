#include "examples/book/figures.h"
#include "nn/distributed/tree_sum.h"
#include "tensor/create.h"
#include "tensor/view.h"

#include <fmt/format.h>

#include <algorithm>

namespace regard::book {
namespace {

using distributed::Leaves;
using distributed::leaves_of;
using distributed::TreeNode;

constexpr std::int64_t leaves = 7;

Leaves leaves_below(TreeNode node) {
  return {node.index << node.level, std::min(leaves, (node.index + 1) << node.level)};
}

// The rank that has all leaves below a node, and so can add them alone; or as many as there are, if none has.
int owner(TreeNode node, int ranks) {
  const Leaves below = leaves_below(node);
  for (int r = 0; r < ranks; ++r)
    if (const Leaves own = leaves_of(r, ranks, leaves); own.begin <= below.begin && below.end <= own.end) return r;
  return ranks;
}

struct Point {
  double x, y;
};

// In the middle above the leaves.
Point place(TreeNode node) {
  const Leaves below = leaves_below(node);
  return {0.5 * static_cast<double>(below.begin + below.end - 1), static_cast<double>(node.level)};
}

// The leaves of a sum, as the chapter writes them: 0–3.
std::string name(TreeNode node) {
  const Leaves below = leaves_below(node);
  if (below.end - below.begin == leaves) return "sum";
  return below.end - below.begin == 1 ? fmt::format("{}", below.begin)
                                      : fmt::format("{}–{}", below.begin, below.end - 1);
}

void draw_tree(plot::Axes& axes, int ranks, bool labels) {
  const plot::Color grey = plot::ink;
  std::vector<std::vector<double>> x(static_cast<std::size_t>(ranks) + 1), y = x;
  for (int level = 0; level <= 3; ++level)
    for (std::int64_t i = 0; i << level < leaves; ++i) {
      const TreeNode node{level, i};
      const auto whose = static_cast<std::size_t>(owner(node, ranks));
      const Point here = place(node);
      x[whose].push_back(here.x), y[whose].push_back(here.y);
      axes.note(here.x + 0.08, here.y, name(node));
      if (level == 3) continue;
      const Point above = place({level + 1, i / 2});
      axes.line({here.x, above.x}, {here.y, above.y}, {.color = grey, .width = 1, .alpha = 0.5});
    }
  for (std::size_t r = 0; r < x.size(); ++r) {
    const bool is_rank = r + 1 < x.size();
    axes.scatter(x[r], y[r],
                 {.label = !labels   ? ""
                           : is_rank ? fmt::format("rank {}", r)
                                     : "several",
                  .color = is_rank ? plot::series_color(r) : grey,
                  .size = 7});
  }
  axes.bare().title(fmt::format("{} ranks", ranks)).x_range(-0.6, 6.6).y_range(-0.4, 3.4);
}

// A sum over seven micro-batches on two ranks and on three: the same tree, other owners.
plot::Figure tree() {
  plot::Figure figure({.columns = 2, .width = 800, .height = 310, .title = "the same tree, other owners"});
  draw_tree(figure.axes(0, 0), 2, false);
  draw_tree(figure.axes(0, 1), 3, true);
  return figure;
}

}  // namespace

std::vector<Picture> figures_21() { return {{"tree_of_ranks.svg", tree}}; }

}  // namespace regard::book
