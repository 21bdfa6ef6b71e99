#include "nn/tools/draw/layered.h"

#include <algorithm>
#include <utility>

namespace regard {

bool Layered::is_mention(std::size_t item) const { return item >= given && is_mention_[item - given]; }

std::size_t Layered::add(bool mention) {
  is_mention_.push_back(mention);
  return items() - 1;
}

namespace {

constexpr std::size_t longest_line = 24;  // in rows
constexpr int layer_sweeps = 8;

using Places = std::vector<std::size_t>;  // of items in their rows, or of rows

std::vector<std::vector<std::size_t>> neighbours(std::size_t count, const LayeredLines& lines, bool above) {
  std::vector<std::vector<std::size_t>> list(count);
  for (const auto& [from, to] : lines) above ? list[to].push_back(from) : list[from].push_back(to);
  return list;
}

// The row of each item.
Places rows_of(std::size_t count, const LayeredLines& lines, std::size_t top, std::size_t bottom) {
  const auto above = neighbours(count, lines, true), below = neighbours(count, lines, false);
  Places row(count, 0), missing(count);
  std::vector<std::size_t> ready, order;
  for (std::size_t i = 0; i < count; ++i) {
    missing[i] = above[i].size();
    if (missing[i] == 0) ready.push_back(i);
    if (i >= top && top > 0) row[i] = 1;
  }
  while (!ready.empty()) {
    const std::size_t i = ready.back();
    ready.pop_back();
    order.push_back(i);
    for (const std::size_t next : below[i]) {
      row[next] = std::max(row[next], row[i] + 1);
      if (--missing[next] == 0) ready.push_back(next);
    }
  }
  std::reverse(order.begin(), order.end());
  for (const std::size_t i : order) {
    if (i < top || !above[i].empty() || below[i].empty()) continue;
    std::size_t first = row[below[i][0]];
    for (const std::size_t next : below[i]) first = std::min(first, row[next]);
    row[i] = first - 1;
  }
  std::size_t last = 0;
  for (std::size_t i = 0; i < bottom; ++i) last = std::max(last, row[i]);
  for (std::size_t i = bottom; i < count; ++i) row[i] = last + 1;
  return row;
}

void add_lines(Layered& graph, const LayeredLines& lines, const Places& row) {
  const auto put = [&](bool mention, std::size_t at) {
    const std::size_t item = graph.add(mention);
    graph.rows[at].push_back(item);
    return item;
  };
  for (const auto& [from, to] : lines) {
    std::vector<std::size_t> line{from};
    if (row[to] - row[from] > longest_line)
      line[0] = put(true, row[to] - 1);
    else
      for (std::size_t r = row[from] + 1; r < row[to]; ++r) line.push_back(put(false, r));
    line.push_back(to);
    graph.lines.push_back(std::move(line));
  }
}

// The pieces of lines between a row and the next, by the row that they end in.
std::vector<LayeredLines> pieces_of(const Layered& graph) {
  Places row(graph.items());
  for (std::size_t r = 0; r < graph.rows.size(); ++r)
    for (const std::size_t item : graph.rows[r]) row[item] = r;
  std::vector<LayeredLines> pieces(graph.rows.size());
  for (const auto& line : graph.lines)
    for (std::size_t k = 1; k < line.size(); ++k) pieces[row[line[k]]].push_back({line[k - 1], line[k]});
  return pieces;
}

// Pairs that are in another order than they would be if sorted, by merging.
std::size_t inversions(std::vector<std::size_t>& list, std::size_t begin, std::size_t end) {
  if (end - begin < 2) return 0;
  const std::size_t middle = (begin + end) / 2;
  std::size_t count = inversions(list, begin, middle) + inversions(list, middle, end);
  std::vector<std::size_t> merged;
  for (std::size_t a = begin, b = middle; a < middle || b < end;) {
    const bool from_right = a == middle || (b < end && list[b] < list[a]);
    if (from_right) count += middle - a;
    merged.push_back(list[from_right ? b++ : a++]);
  }
  std::copy(merged.begin(), merged.end(), list.begin() + static_cast<std::ptrdiff_t>(begin));
  return count;
}

std::size_t count_crossings(const Layered& graph, const std::vector<LayeredLines>& pieces) {
  Places place(graph.items());
  for (const auto& row : graph.rows)
    for (std::size_t i = 0; i < row.size(); ++i) place[row[i]] = i;
  std::size_t count = 0;
  for (const LayeredLines& between : pieces) {
    LayeredLines ends;
    for (const auto& [from, to] : between) ends.push_back({place[from], place[to]});
    std::sort(ends.begin(), ends.end());
    std::vector<std::size_t> lower;
    for (const auto& [unused, to] : ends) lower.push_back(to);
    count += inversions(lower, 0, lower.size());
  }
  return count;
}

// Orders a row by the mean place of what its items are connected with in another row.
void order_row(std::vector<std::size_t>& row, const std::vector<std::size_t>& other, const LayeredLines& pieces,
               bool other_is_above, std::vector<double>& place, std::vector<int>& count) {
  for (std::size_t i = 0; i < other.size(); ++i) place[other[i]] = static_cast<double>(i);
  for (const std::size_t item : row) place[item] = 0, count[item] = 0;
  for (const auto& [from, to] : pieces) {
    const auto [item, neighbour] = other_is_above ? std::pair(to, from) : std::pair(from, to);
    place[item] += place[neighbour];
    ++count[item];
  }
  // What is connected with nothing stays beside its neighbour on the left.
  double left = 0;
  for (const std::size_t item : row) left = place[item] = count[item] > 0 ? place[item] / count[item] : left;
  std::stable_sort(row.begin(), row.end(), [&](std::size_t a, std::size_t b) { return place[a] < place[b]; });
}

void order_rows(Layered& graph) {
  const std::vector<LayeredLines> pieces = pieces_of(graph);
  std::vector<double> place(graph.items());
  std::vector<int> count(graph.items());
  auto best = graph.rows;
  std::size_t fewest = count_crossings(graph, pieces);
  for (int sweep = 0; sweep < layer_sweeps && fewest > 0; ++sweep) {
    auto& rows = graph.rows;
    if (sweep % 2 == 0)
      for (std::size_t r = 1; r < rows.size(); ++r) order_row(rows[r], rows[r - 1], pieces[r], true, place, count);
    else
      for (std::size_t r = rows.size() - 1; r-- > 0;)
        order_row(rows[r], rows[r + 1], pieces[r + 1], false, place, count);
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
  const Places row = rows_of(count, lines, top, bottom);
  graph.rows.resize(*std::max_element(row.begin(), row.end()) + 1);
  for (std::size_t i = 0; i < count; ++i) graph.rows[row[i]].push_back(i);
  add_lines(graph, lines, row);
  order_rows(graph);
  return graph;
}

}  // namespace regard
