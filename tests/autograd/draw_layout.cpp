#include "autograd/all.h"
#include "nn/tools/draw/draw.h"
#include "nn/tools/draw/layered.h"
#include "nn/tools/draw/picture.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <algorithm>
#include <random>

namespace regard {
namespace {

std::size_t row_of(const Layered& graph, std::size_t item) {
  for (std::size_t r = 0; r < graph.rows.size(); ++r)
    if (std::ranges::find(graph.rows[r], item) != graph.rows[r].end()) return r;
  return graph.rows.size();
}

// A graph with as many lines as asked for, each from a smaller number to a larger.
std::vector<LayeredLine> random_lines(std::size_t count, std::size_t lines, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<LayeredLine> list;
  while (list.size() < lines) {
    const std::size_t a = random() % count, b = random() % count;
    if (a != b) list.push_back({std::min(a, b), std::max(a, b)});
  }
  return list;
}

bool overlap(const Picture::Frame& a, const Picture::Frame& b) {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}
bool is_around(const Picture::Frame& a, const Picture::Frame& b) {
  return a.open && a.x <= b.x && a.y <= b.y && a.x + a.width >= b.x + b.width && a.y + a.height >= b.y + b.height;
}

// Nothing overlaps but what lies inside a box, and no line goes up.
void check_readable(const Picture& picture) {
  for (const Picture::Frame& a : picture.frames) {
    CHECK(a.x >= 0);
    CHECK(a.x + a.width <= picture.width);
    CHECK(a.y + a.height <= picture.height);
    for (const Picture::Frame& b : picture.frames)
      if (&a < &b && overlap(a, b)) CHECK(is_around(a, b));
  }
  for (const Picture::Path& path : picture.paths)
    for (std::size_t i = 0; i < path.bends.size(); ++i) {
      CHECK(path.bends[i].top <= path.bends[i].bottom);
      if (i > 0) CHECK(path.bends[i - 1].bottom < path.bends[i].top);
    }
}

}  // namespace

TEST_CASE("draw: a row is the longest path; what nothing leads to stands above its first use") {
  // 0 → 1 → 2 → 3, 0 → 3, and 4 → 3
  const Layered graph = layered(5, {{0, 1}, {1, 2}, {2, 3}, {0, 3}, {4, 3}}, 0, 5);
  CHECK(graph.rows.size() == 4);
  for (std::size_t i = 0; i < 4; ++i) CHECK(row_of(graph, i) == i);
  CHECK(row_of(graph, 4) == 2);
  CHECK(graph.lines[3].size() == 4);  // with a bend in each row that it passes
  CHECK(graph.items == 7);
}

TEST_CASE("draw: what comes in is in the first row, what leaves below all else") {
  const Layered graph = layered(4, {{0, 1}, {1, 2}, {1, 3}}, 1, 3);
  CHECK(row_of(graph, 0) == 0);
  CHECK(row_of(graph, 1) == 1);
  CHECK(row_of(graph, 2) == 2);
  CHECK(row_of(graph, 3) == 3);
}

TEST_CASE("draw: lines that need not cross do not") {
  // 0 → 5, 1 → 4, 2 → 3: in the order of numbers, three crossings.
  CHECK(layered(6, {{0, 5}, {1, 4}, {2, 3}}, 3, 3).crossings == 0);
  // each of two with each of two: one crossing remains
  CHECK(layered(4, {{0, 2}, {0, 3}, {1, 2}, {1, 3}}, 2, 2).crossings == 1);
}

TEST_CASE("draw: lines of one value share their bends, and those of another have their own") {
  const Layered graph = layered(4, {{0, 1}, {1, 2}, {2, 3}, {0, 3, 7}, {0, 2, 7}, {0, 3, 8}}, 0, 4);
  CHECK(graph.lines[4][1] == graph.lines[3][1]);
  CHECK(graph.lines[5][1] != graph.lines[3][1]);
  CHECK(graph.items == 4 + 2 + 2);
}

TEST_CASE("draw: every line of a random graph goes down a row at a time") {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<LayeredLine> lines = random_lines(60, 100, seed);
    const Layered graph = layered(60, lines, 0, 60);
    REQUIRE(graph.lines.size() == lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      const auto& items = graph.lines[i];
      CHECK(items.back() == lines[i].to);
      CHECK(items.front() == lines[i].from);
      for (std::size_t k = 1; k < items.size(); ++k) CHECK(row_of(graph, items[k]) == row_of(graph, items[k - 1]) + 1);
    }
  }
}

TEST_CASE("draw: spread leaves room, and moves to both sides alike") {
  CHECK(spread({0, 5}, {3}) == std::vector<double>{0, 5});  // there is room
  CHECK(spread({0, 0}, {4}) == std::vector<double>{-2, 2});
  CHECK(spread({0, 0, 0}, {4, 4}) == std::vector<double>{-4, 0, 4});
  CHECK(spread({5, 0, 9}, {1, 1}) == std::vector<double>{2, 3, 9});
  CHECK(spread({0, 5, 4}, {0, 0}) == std::vector<double>{0, 4.5, 4.5});  // the first is not in the way
  CHECK(spread({}, {}).empty());
}

TEST_CASE("draw: no node overlaps another, and no line goes up") {
  const Variable x = leaf({{1, 2}, {3, 4}}), w = leaf({{1, 0}, {0, 1}}), b = leaf({1, 2});
  const Variable h = tanh(matmul(x, w) + b);
  const Variable loss = sum(square(h * exp(h) + x));
  const std::vector<NamedParameter> names{{"x", x}, {"net.linear.w", w}, {"net.linear.b", b}};
  const Drawing drawing = draw(loss, names);
  for (const std::size_t most : {0, 5, 100}) check_readable(lay_out(drawing, 0, most));

  // A line that comes into an open box goes on from its upper border.
  const Picture picture = lay_out(drawing, 0, 100);
  std::size_t open = 0;
  for (const Picture::Frame& frame : picture.frames) {
    if (!frame.open) continue;
    ++open;
    CHECK(std::ranges::any_of(picture.paths, [&](const Picture::Path& path) {
      const Picture::Bend& begin = path.bends.front();
      return begin.top == frame.y && frame.x <= begin.x && begin.x <= frame.x + frame.width;
    }));
  }
  CHECK(open > 0);
}

TEST_CASE("draw: a random graph is laid out without overlaps") {
  std::vector<Variable> values{leaf({1, 2}), leaf({3, 4})};
  std::mt19937_64 random(5);
  const auto any = [&] { return values[random() % values.size()]; };
  for (int i = 0; i < 60; ++i) values.push_back(any() + tanh(any()));
  Variable total = values[2];
  for (std::size_t i = 3; i < values.size(); ++i) total = total + values[i];
  check_readable(lay_out(draw(sum(total))));
}

TEST_CASE("draw: very many leaves stand in boxes, which open while there is room") {
  std::vector<Variable> leaves;
  for (int i = 0; i < 1000; ++i) leaves.push_back(leaf({1.0 * i}));
  const Drawing drawing = draw(sum(cat(leaves, 0)));
  const auto& outside = drawing.nodes[0].children;
  REQUIRE(outside.size() == 2 + 9);  // two operations, and boxes of 120 leaves each, but for the last
  std::size_t inside = 0;
  for (const std::size_t one : outside) inside += drawing.nodes[one].children.size();
  CHECK(inside == 1000);
  CHECK(drawing.nodes[outside[2]].name == "leaves 1 – 120");
  CHECK(drawing.nodes[outside[10]].name == "leaves 961 – 1000");
  const Picture picture = lay_out(drawing);
  check_readable(picture);
  for (const Picture::Frame& frame : picture.frames) CHECK(frame.open == (frame.node == outside[10]));
  leaves.resize(120);
  CHECK(draw(sum(cat(leaves, 0))).nodes[0].children.size() == 2 + 120);  // so many need no boxes
}

}  // namespace regard
