#include "nn/tools/draw/layered.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace regard {
namespace {

constexpr int order_sweeps = 8, spread_sweeps = 12;
constexpr double gap = 16;  // between items of a row

using Indexes = std::vector<std::size_t>;
using Pieces = std::vector<std::vector<std::pair<std::size_t, std::size_t>>>;  // of lines, by the row that they end in

// The row of each item.
Indexes rows_of(std::size_t count, const std::vector<LayeredLine>& lines, std::size_t top, std::size_t bottom) {
  Indexes row(count, top > 0 ? 1 : 0);
  std::fill_n(row.begin(), top, 0);
  for (bool moved = true; moved;) {  // once, where lines are in the order of recording, and once to see that it is done
    moved = false;
    for (const LayeredLine& line : lines)
      if (row[line.to] <= row[line.from]) row[line.to] = row[line.from] + 1, moved = true;
  }
  std::vector<bool> is_led_to(count);
  Indexes first_use(count, count + 1);  // its row; for what is not used a row below all
  for (const LayeredLine& line : lines) {
    is_led_to[line.to] = true;
    first_use[line.from] = std::min(first_use[line.from], row[line.to]);
  }
  for (std::size_t i = top; i < count; ++i)
    if (!is_led_to[i] && first_use[i] <= count) row[i] = first_use[i] - 1;
  const auto end = row.begin() + static_cast<std::ptrdiff_t>(bottom);
  std::fill(end, row.end(), bottom > 0 ? *std::max_element(row.begin(), end) + 1 : 0);
  return row;
}

// With their bends.
Pieces add_lines(Layered& graph, const std::vector<LayeredLine>& lines, const Indexes& row) {
  Pieces pieces(graph.rows.size());
  std::map<std::tuple<std::size_t, std::size_t, std::size_t>, std::size_t> bends;  // by item, value and row
  for (const LayeredLine& line : lines) {
    std::vector<std::size_t> items{line.from};
    for (std::size_t r = row[line.from] + 1; r < row[line.to]; ++r) {
      const auto [bend, is_new] = bends.try_emplace({line.from, line.value, r}, graph.items);
      if (is_new) {
        graph.rows[r].push_back(graph.items++);
        pieces[r].push_back({items.back(), bend->second});
      }
      items.push_back(bend->second);
    }
    pieces[row[line.to]].push_back({items.back(), line.to});
    items.push_back(line.to);
    graph.lines.push_back(std::move(items));
  }
  return pieces;
}

std::size_t count_crossings(const Layered& graph, const Pieces& pieces) {
  Indexes at(graph.items);
  for (const auto& row : graph.rows)
    for (std::size_t i = 0; i < row.size(); ++i) at[row[i]] = i;
  std::size_t count = 0;
  for (const auto& row : pieces)
    for (const auto& a : row)
      for (const auto& b : row) count += at[a.first] < at[b.first] && at[a.second] > at[b.second];
  return count;
}

void order_rows(Layered& graph, const Pieces& pieces) {
  std::vector<double> position(graph.items), count(graph.items);
  // By the mean position of what its items are connected with in another row.
  const auto order = [&](Indexes& row, const Indexes& other, const auto& between, bool other_is_above) {
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
  for (int sweep = 0; sweep < order_sweeps && graph.crossings > 0; ++sweep) {
    if (sweep % 2 == 0)
      for (std::size_t r = 1; r < rows.size(); ++r) order(rows[r], rows[r - 1], pieces[r], true);
    else
      for (std::size_t r = rows.size() - 1; r-- > 0;) order(rows[r], rows[r + 1], pieces[r + 1], false);
    const std::size_t now = count_crossings(graph, pieces);
    if (now < graph.crossings) graph.crossings = now, best = rows;
  }
  rows = std::move(best);
}

// What draws an item to the side: a place that is `shift` beside the middle of another.
struct Pull {
  std::size_t by;
  double shift, weight;
};

}  // namespace

Layered layered(std::size_t count, const std::vector<LayeredLine>& lines, std::size_t top, std::size_t bottom) {
  Layered graph{.given = count, .items = count};
  if (count == 0) return graph;
  const Indexes row = rows_of(count, lines, top, bottom);
  graph.rows.resize(*std::max_element(row.begin(), row.end()) + 1);
  for (std::size_t i = 0; i < count; ++i) graph.rows[row[i]].push_back(i);
  order_rows(graph, add_lines(graph, lines, row));
  return graph;
}

std::vector<double> spread(const std::vector<double>& wants, const std::vector<double>& least) {
  std::vector<double> x = wants, left = wants;
  for (std::size_t i = 1; i < x.size(); ++i) x[i] = std::max(x[i], x[i - 1] + least[i - 1]);
  for (std::size_t i = x.size(); i-- > 1;) left[i - 1] = std::min(left[i - 1], left[i] - least[i - 1]);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = (x[i] + left[i]) / 2;
  return x;
}

std::vector<double> middles_of(const Layered& graph, const std::vector<double>& widths,
                               const std::vector<double>& begins, const std::vector<double>& ends) {
  std::vector<std::vector<Pull>> pulls(graph.items);  // on each
  for (std::size_t i = 0; i < graph.lines.size(); ++i)
    for (std::size_t k = 0; k + 1 < graph.lines[i].size(); ++k) {
      const std::size_t upper = graph.lines[i][k], lower = graph.lines[i][k + 1];
      const int bends = (upper >= graph.given) + (lower >= graph.given);
      const double begin = k == 0 ? begins[i] : 0, end = k + 2 == graph.lines[i].size() ? ends[i] : 0;
      const double weight = bends == 2 ? 8 : bends == 1 ? 2 : 1;
      pulls[lower].push_back({upper, begin - end, weight});
      pulls[upper].push_back({lower, end - begin, weight});
    }

  std::vector<double> x(graph.items, 0);
  const auto spread_row = [&](const Indexes& row) {
    std::vector<double> wants, least;
    for (std::size_t i = 0; i < row.size(); ++i) {
      double sum = 0, weight = 0;
      for (const Pull& pull : pulls[row[i]]) {
        sum += pull.weight * (x[pull.by] + pull.shift);
        weight += pull.weight;
      }
      wants.push_back(weight > 0 ? sum / weight : x[row[i]]);
      if (i > 0) least.push_back((widths[row[i - 1]] + widths[row[i]]) / 2 + gap);
    }
    const std::vector<double> found = spread(wants, least);
    for (std::size_t i = 0; i < row.size(); ++i) x[row[i]] = found[i];
  };
  for (int sweep = 0; sweep < spread_sweeps; ++sweep) {
    std::ranges::for_each(graph.rows, spread_row);
    std::for_each(graph.rows.rbegin(), graph.rows.rend(), spread_row);
  }
  return x;
}

}  // namespace regard
