#include "nn/tools/draw/layered.h"

#include <algorithm>
#include <utility>

namespace regard {
namespace {

constexpr std::size_t longest_line = 24;  // in rows
constexpr int layer_sweeps = 8;

using Indexes = std::vector<std::size_t>;  // of the row of each item, or its position in that row

// The row of each item.
Indexes rows_of(std::size_t count, const LayeredLines& lines, std::size_t top, std::size_t bottom) {
  Indexes row(count, top > 0 ? 1 : 0);
  std::fill_n(row.begin(), top, 0);
  for (bool moved = true; moved;) {  // once, where lines are in the order of recording, and once to see that it is done
    moved = false;
    for (const auto& [from, to] : lines)
      if (row[to] <= row[from]) row[to] = row[from] + 1, moved = true;
  }
  std::vector<bool> is_led_to(count);
  Indexes first_use(count, count + 1);  // its row; for what is not used a row below all
  for (const auto& [from, to] : lines) {
    is_led_to[to] = true;
    first_use[from] = std::min(first_use[from], row[to]);
  }
  for (std::size_t i = top; i < count; ++i)
    if (!is_led_to[i] && first_use[i] <= count) row[i] = first_use[i] - 1;
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(bottom);
  std::fill(end, row.end(), bottom > 0 ? *std::max_element(row.begin(), end) + 1 : 0);
  return row;
}

// With bends and mentions. Returns the pieces of lines between a row and the next, by the row that they end in.
std::vector<LayeredLines> add_lines(Layered& graph, const LayeredLines& lines, const Indexes& row) {
  std::vector<LayeredLines> pieces(graph.rows.size());
  const auto add_to = [&](std::size_t r) {
    graph.rows[r].push_back(graph.items);
    return graph.items++;
  };
  for (const auto& [from, to] : lines) {
    std::vector<std::size_t> line{from};
    std::size_t r = row[from];
    if (row[to] - r > longest_line) line[0] = add_to(r = row[to] - 1);
    while (++r <= row[to]) {
      line.push_back(r < row[to] ? add_to(r) : to);
      pieces[r].push_back({line[line.size() - 2], line.back()});
    }
    graph.lines.push_back(std::move(line));
  }
  return pieces;
}

std::size_t count_crossings(const Layered& graph, const std::vector<LayeredLines>& pieces) {
  Indexes at(graph.items);
  for (const auto& row : graph.rows)
    for (std::size_t i = 0; i < row.size(); ++i) at[row[i]] = i;
  std::size_t count = 0;
  for (const LayeredLines& row : pieces)
    for (const auto& a : row)
      for (const auto& b : row) count += at[a.first] < at[b.first] && at[a.second] > at[b.second];
  return count;
}

void order_rows(Layered& graph, const std::vector<LayeredLines>& pieces) {
  std::vector<double> position(graph.items), count(graph.items);
  // By the mean position of what its items are connected with in another row.
  const auto order = [&](Indexes& row, const Indexes& other, const LayeredLines& between, bool other_is_above) {
    for (std::size_t i = 0; i < other.size(); ++i) position[other[i]] = static_cast<double>(i);
    for (const std::size_t item : row) position[item] = count[item] = 0;
    for (const auto& [from, to] : between) {
      const auto [item, neighbour] = other_is_above ? std::pair(to, from) : std::pair(from, to);
      position[item] += position[neighbour];
      ++count[item];
    }
    // What is connected with nothing stays beside its neighbour on the left.
    double left = 0;
    for (const std::size_t item : row) left = position[item] = count[item] > 0 ? position[item] / count[item] : left;
    std::ranges::stable_sort(row, {}, [&](std::size_t item) { return position[item]; });
  };
  auto& rows = graph.rows;
  auto best = rows;
  graph.crossings = count_crossings(graph, pieces);
  for (int sweep = 0; sweep < layer_sweeps && graph.crossings > 0; ++sweep) {
    if (sweep % 2 == 0)
      for (std::size_t r = 1; r < rows.size(); ++r) order(rows[r], rows[r - 1], pieces[r], true);
    else
      for (std::size_t r = rows.size() - 1; r-- > 0;) order(rows[r], rows[r + 1], pieces[r + 1], false);
    const std::size_t now = count_crossings(graph, pieces);
    if (now < graph.crossings) graph.crossings = now, best = rows;
  }
  rows = std::move(best);
}

}  // namespace

Layered layered(std::size_t count, const LayeredLines& lines, std::size_t top, std::size_t bottom) {
  Layered graph{.given = count, .items = count};
  if (count == 0) return graph;
  const Indexes row = rows_of(count, lines, top, bottom);
  graph.rows.resize(*std::max_element(row.begin(), row.end()) + 1);
  for (std::size_t i = 0; i < count; ++i) graph.rows[row[i]].push_back(i);
  order_rows(graph, add_lines(graph, lines, row));
  return graph;
}

}  // namespace regard
