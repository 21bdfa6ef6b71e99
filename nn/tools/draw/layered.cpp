#include "nn/tools/draw/layered.h"

#include <algorithm>
#include <utility>

namespace regard {

bool Layered::is_mention(std::size_t item) const { return item >= given && is_mention_[item - given]; }

std::size_t Layered::add(bool mention, std::size_t row) {
  is_mention_.push_back(mention);
  rows[row].push_back(items() - 1);
  return items() - 1;
}

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

void add_lines(Layered& graph, const LayeredLines& lines, const Indexes& row) {
  for (const auto& [from, to] : lines) {
    std::vector<std::size_t> line{from};
    if (row[to] - row[from] > longest_line)
      line[0] = graph.add(true, row[to] - 1);
    else
      for (std::size_t r = row[from] + 1; r < row[to]; ++r) line.push_back(graph.add(false, r));
    line.push_back(to);
    graph.lines.push_back(std::move(line));
  }
}

// The pieces of lines between a row and the next, by the row that they end in.
std::vector<LayeredLines> pieces_of(const Layered& graph) {
  Indexes row(graph.items());
  for (std::size_t r = 0; r < graph.rows.size(); ++r)
    for (const std::size_t item : graph.rows[r]) row[item] = r;
  std::vector<LayeredLines> pieces(graph.rows.size());
  for (const auto& line : graph.lines)
    for (std::size_t k = 1; k < line.size(); ++k) pieces[row[line[k]]].push_back({line[k - 1], line[k]});
  return pieces;
}

std::size_t count_crossings(const Layered& graph, const std::vector<LayeredLines>& pieces) {
  Indexes position(graph.items());
  for (const auto& row : graph.rows)
    for (std::size_t i = 0; i < row.size(); ++i) position[row[i]] = i;
  std::size_t count = 0;
  for (std::size_t r = 0; r < pieces.size(); ++r) {
    LayeredLines ends;
    for (const auto& [from, to] : pieces[r]) ends.push_back({position[from], position[to]});
    std::sort(ends.begin(), ends.end());
    Indexes ended(graph.rows[r].size(), 0);  // so many of those that begin further on the left end at each position
    for (const auto& [unused, to] : ends) {
      for (std::size_t right = to + 1; right < ended.size(); ++right) count += ended[right];
      ++ended[to];
    }
  }
  return count;
}

// Orders a row by the mean position of what its items are connected with in another row.
void order_row(std::vector<std::size_t>& row, const std::vector<std::size_t>& other, const LayeredLines& pieces,
               bool other_is_above, std::vector<double>& position, std::vector<int>& count) {
  for (std::size_t i = 0; i < other.size(); ++i) position[other[i]] = static_cast<double>(i);
  for (const std::size_t item : row) position[item] = 0, count[item] = 0;
  for (const auto& [from, to] : pieces) {
    const auto [item, neighbour] = other_is_above ? std::pair(to, from) : std::pair(from, to);
    position[item] += position[neighbour];
    ++count[item];
  }
  // What is connected with nothing stays beside its neighbour on the left.
  double left = 0;
  for (const std::size_t item : row) left = position[item] = count[item] > 0 ? position[item] / count[item] : left;
  std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) { return position[a] < position[b]; });
}

void order_rows(Layered& graph) {
  const std::vector<LayeredLines> pieces = pieces_of(graph);
  std::vector<double> position(graph.items());
  std::vector<int> count(graph.items());
  auto best = graph.rows;
  std::size_t fewest = count_crossings(graph, pieces);
  for (int sweep = 0; sweep < layer_sweeps && fewest > 0; ++sweep) {
    auto& rows = graph.rows;
    if (sweep % 2 == 0)
      for (std::size_t r = 1; r < rows.size(); ++r) order_row(rows[r], rows[r - 1], pieces[r], true, position, count);
    else
      for (std::size_t r = rows.size() - 1; r-- > 0;)
        order_row(rows[r], rows[r + 1], pieces[r + 1], false, position, count);
    const std::size_t now = count_crossings(graph, pieces);
    if (now < fewest) fewest = now, best = rows;
  }
  graph.rows = std::move(best);
}

}  // namespace

std::size_t crossings(const Layered& graph) { return count_crossings(graph, pieces_of(graph)); }

Layered layered(std::size_t count, const LayeredLines& lines, std::size_t top, std::size_t bottom) {
  Layered graph;
  graph.given = count;
  if (count == 0) return graph;
  const Indexes row = rows_of(count, lines, top, bottom);
  graph.rows.resize(*std::max_element(row.begin(), row.end()) + 1);
  for (std::size_t i = 0; i < count; ++i) graph.rows[row[i]].push_back(i);
  add_lines(graph, lines, row);
  order_rows(graph);
  return graph;
}

}  // namespace regard
