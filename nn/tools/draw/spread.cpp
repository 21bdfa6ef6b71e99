#include "nn/tools/draw/layered.h"

#include <algorithm>

namespace regard {
namespace {

constexpr double gap = 16;  // between items of a row
constexpr int spread_sweeps = 12;

struct Pull {
  std::size_t from;
  double shift;  // to its x plus this
  double weight;
};

}  // namespace

// Moved by the least distances, the task is to find numbers in increasing order near to given ones: neighbours that
// stand in the wrong order become a block, which stands at its mean.
std::vector<double> spread(const std::vector<double>& wants, const std::vector<double>& weights,
                           const std::vector<double>& least) {
  struct Block {
    double sum, weight;
    std::size_t end;
    double mean() const { return sum / weight; }
  };
  std::vector<Block> blocks;
  double moved = 0;
  for (std::size_t i = 0; i < wants.size(); ++i) {
    blocks.push_back({weights[i] * (wants[i] - moved), weights[i], i + 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean() > blocks.back().mean()) {
      const Block last = blocks.back();
      blocks.pop_back();
      blocks.back() = {blocks.back().sum + last.sum, blocks.back().weight + last.weight, last.end};
    }
    if (i + 1 < wants.size()) moved += least[i];
  }
  std::vector<double> x;
  moved = 0;
  for (const Block& block : blocks)
    while (x.size() < block.end) {
      if (!x.empty()) moved += least[x.size() - 1];
      x.push_back(block.mean() + moved);
    }
  return x;
}

std::vector<double> middles_of(const Layered& graph, const std::vector<double>& widths,
                               const std::vector<double>& begins, const std::vector<double>& ends) {
  std::vector<std::vector<Pull>> above(graph.items), below(graph.items);
  for (std::size_t i = 0; i < graph.lines.size(); ++i)
    for (std::size_t k = 0; k + 1 < graph.lines[i].size(); ++k) {
      const std::size_t upper = graph.lines[i][k], lower = graph.lines[i][k + 1];
      const int bends = (upper >= graph.given) + (lower >= graph.given);
      const double begin = k == 0 ? begins[i] : 0, end = k + 2 == graph.lines[i].size() ? ends[i] : 0;
      const double weight = bends == 2 ? 8 : bends == 1 ? 2 : 1;
      above[lower].push_back({upper, begin - end, weight});
      below[upper].push_back({lower, end - begin, weight});
    }

  std::vector<double> x(graph.items, 0);
  const auto spread_row = [&](const std::vector<std::size_t>& row, bool look_up, bool look_down) {
    std::vector<double> wants, weights, least;
    for (std::size_t i = 0; i < row.size(); ++i) {
      double sum = 0, weight = 0;
      const auto add = [&](const std::vector<Pull>& pulls) {
        for (const Pull& pull : pulls) {
          sum += pull.weight * (x[pull.from] + pull.shift);
          weight += pull.weight;
        }
      };
      if (look_up) add(above[row[i]]);
      if (look_down) add(below[row[i]]);
      wants.push_back(weight > 0 ? sum / weight : x[row[i]]);
      weights.push_back(weight > 0 ? weight : 0.1);
      if (i + 1 < row.size()) least.push_back((widths[row[i]] + widths[row[i + 1]]) / 2 + gap);
    }
    const std::vector<double> found = spread(wants, weights, least);
    for (std::size_t i = 0; i < row.size(); ++i) x[row[i]] = found[i];
  };
  const std::size_t rows = graph.rows.size();
  for (int sweep = 0; sweep < spread_sweeps; ++sweep) {
    const bool last = sweep + 2 >= spread_sweeps;  // the last ones look both ways
    if (sweep % 2 == 0)
      for (std::size_t r = 0; r < rows; ++r) spread_row(graph.rows[r], true, last);
    else
      for (std::size_t r = rows; r-- > 0;) spread_row(graph.rows[r], last, true);
  }
  return x;
}

}  // namespace regard
