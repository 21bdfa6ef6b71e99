#pragma once

#include <cstddef>
#include <vector>

namespace regard {

struct LayeredLine {
  std::size_t from, to;
  std::size_t value = 0;  // lines from one item with the same value share their bends
};

// A graph without cycles, set in rows: each line goes down from row to row. A line that passes rows on its way has a
// bend in each, which is an item like any other, so that room is left for it.
struct Layered {
  std::vector<std::vector<std::size_t>> rows = {};   // items from left to right: the given ones, and bends
  std::vector<std::vector<std::size_t>> lines = {};  // the items of each, from top to bottom
  std::size_t given = 0, items = 0;                  // how many items were given, and how many there are
  std::size_t crossings = 0;                         // how often lines cross
};

// Items before `top` are in the first row, those from `bottom` on in a row below all others. An item's row is the
// longest path to it; what nothing leads to stands right above its first use. Within rows, items are ordered by the
// mean position of what they are connected with in the row before, then in the row after, a few times over; the order
// with the fewest crossings stays.
Layered layered(std::size_t count, const std::vector<LayeredLine>& lines, std::size_t top, std::size_t bottom);

// The middles of things in a row: each at wants[i] where there is room, and at least least[i] between i and i + 1. They
// are the means of two ways to make room: pushing things to the right, from the left end on, and pushing them to the
// left, from the right end on.
std::vector<double> spread(const std::vector<double>& wants, const std::vector<double>& least);

// The x of the middle of each item of a layered graph, for items of these widths. Items want to stand below and above
// what they are connected with; lines that go on through many rows want it most, and so are straight. A line may begin
// beside the middle of its first item, and end beside the middle of its last one.
std::vector<double> middles_of(const Layered& graph, const std::vector<double>& widths,
                               const std::vector<double>& begins, const std::vector<double>& ends);

}  // namespace regard
