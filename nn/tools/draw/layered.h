#pragma once

#include <cstddef>
#include <utility>
#include <vector>

namespace regard {

// A graph without circles, set in rows: each line goes down from row to row. A line that passes rows on its way has a
// bend in each, which is an item as any other, so that room is left for it. A line that would pass too many is not
// drawn: beside its end stands a mention of where it comes from.
struct Layered {
  std::vector<std::vector<std::size_t>> rows;   // items from left to right: those that were given, then bends, mentions
  std::vector<std::vector<std::size_t>> lines;  // the items of each, from top to bottom
  std::size_t given;                            // so many items were given

  bool is_mention(std::size_t item) const;
  std::size_t items() const { return given + is_mention_.size(); }
  std::size_t add(bool mention, std::size_t row);

 private:
  std::vector<bool> is_mention_;
};

using LayeredLines = std::vector<std::pair<std::size_t, std::size_t>>;  // from, to

// Items before `top` are in the first row, those from `bottom` on in a row below all others. An item's row is the
// longest path to it; what nothing leads to stands right above its first use. Within rows, items are ordered by the
// mean position of what they are connected with in the row before, then in the row after, a few times over; the order
// with the fewest crossings stays.
Layered layered(std::size_t count, const LayeredLines& lines, std::size_t top, std::size_t bottom);

// How often lines cross.
std::size_t crossings(const Layered& graph);

}  // namespace regard
