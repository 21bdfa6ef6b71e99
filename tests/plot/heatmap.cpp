// Heatmaps, as they are in the file: each cell has the colour of its number.
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"
#include "tensor/view.h"
#include "tests/catch.h"
#include "tests/plot/picture.h"

using namespace regard;
using namespace regard::plot;

namespace {

Rgb reds(double t) { return rgb_of(color_at(Colormap::reds, t)); }

bool close(const Rgb& a, const Rgb& b, int by = 2) {
  return std::abs(a[0] - b[0]) <= by && std::abs(a[1] - b[1]) <= by && std::abs(a[2] - b[2]) <= by;
}

}  // namespace

TEST_CASE("The maps are what their names say") {
  CHECK(reds(0) == Rgb{255, 245, 240});
  CHECK(reds(1) == Rgb{103, 0, 13});
  CHECK(rgb_of(color_at(Colormap::viridis, 0)) == Rgb{68, 1, 84});
  CHECK(rgb_of(color_at(Colormap::viridis, 1)) == Rgb{253, 231, 37});
  CHECK(rgb_of(color_at(Colormap::diverging, 0.5)) == Rgb{247, 247, 247});
  CHECK(rgb_of(color_at(Colormap::viridis, NAN)) == rgb_of(not_a_number));
  for (const Colormap map : {Colormap::reds, Colormap::viridis})  // lightness goes one way
    for (double t = 0; t < 0.99; t += 0.01)
      CHECK((lightness(color_at(map, t + 0.01)) > lightness(color_at(map, t))) == (map == Colormap::viridis));
}

TEST_CASE("A heatmap colours its cells, row 0 on top, and labels both axes") {
  const Image image =
      saved_and_read(heatmap(tensor({{0, 1, 2}, {3, 4, 5}, {6, 7, 8}}), {.title = "Weights αᵢⱼ",
                                                                         .x = "keys",
                                                                         .y = "queries",
                                                                         .x_tokens = {"the", "black", "cat"},
                                                                         .y_tokens = {"la", "chatte", "noire"}}));
  const Frame frame = frame_of(image);
  for (int row = 0; row < 3; ++row)
    for (int column = 0; column < 3; ++column) {
      const Rgb expected = reds((row * 3 + column) / 8.0);
      for (const double inset : {0.03, 0.5, 0.97})
        CHECK(frame.at(image, (column + inset) / 3, (row + inset) / 3) == expected);
    }
  for (const char* word : {"the", "black", "cat", "la", "chatte", "noire"}) {
    CAPTURE(word);
    CHECK(shows(image, word, tick_size));
  }
  CHECK(shows(image, "Weights αᵢⱼ", title_size));
  CHECK(shows(image, "keys", label_size));
  CHECK(shows(image, "queries", label_size, true));
  CHECK_FALSE(shows(image, "queries", label_size));
  CHECK_FALSE(shows(image, "dog", tick_size));
}

TEST_CASE("Beside it is a colour bar, the whole map from bottom to top, with ticks") {
  const Image image = saved_and_read(heatmap(tensor({{0, 1}, {0.25, 0.5}})));
  const Frame frame = frame_of(image);
  int x = frame.right + 4;
  while (image.rgb(x, (frame.top + frame.bottom) / 2)[0] > 250) ++x;  // over white to the bar …
  x += 6;                                                             // … and into it
  CHECK(close(image.rgb(x, frame.top + 2), reds(1), 4));
  CHECK(close(image.rgb(x, frame.bottom - 3), reds(0), 4));
  CHECK(close(image.rgb(x, (frame.top + frame.bottom) / 2), reds(0.5), 4));
  for (const char* label : {"0.0", "0.2", "0.8", "1.0"}) CHECK(shows(image, label, tick_size));
  const Image without = saved_and_read(heatmap(tensor({{0, 1}, {0.25, 0.5}}), {.bar = false}));
  CHECK_FALSE(shows(without, "0.2", tick_size));
}

TEST_CASE("Long words stand upright; where there are too many words for the room, every second or third is left out") {
  const Image image = saved_and_read(heatmap(tensor({{1, 2, 3, 4, 5, 6, 7, 8}}),
                                             {.x_tokens = {"incomprehensible", "b", "c", "d", "e", "f", "g", "h"}}));
  CHECK(shows(image, "incomprehensible", tick_size, true));
  CHECK_FALSE(shows(image, "incomprehensible", tick_size));

  std::vector<std::string> words;
  for (int i = 0; i < 100; ++i) words.push_back("w" + std::to_string(100 + i));
  const Image many = saved_and_read(heatmap(zeros({100, 100}), {.y_tokens = words}));
  CHECK(shows(many, "w100", tick_size));
  CHECK_FALSE(shows(many, "w101", tick_size));
}

TEST_CASE("NaN has a colour of its own and a key; infinities are at the ends of the map") {
  const Image image = saved_and_read(heatmap(tensor({{0, NAN}, {INFINITY, -INFINITY}, {1, 0.5}})));
  const Frame frame = frame_of(image);
  CHECK(frame.at(image, 0.75, 0.16) == rgb_of(not_a_number));
  CHECK(frame.at(image, 0.25, 0.5) == reds(1));
  CHECK(frame.at(image, 0.75, 0.5) == reds(0));
  CHECK(frame.at(image, 0.25, 0.83) == reds(1));
  CHECK(shows(image, "NaN", tick_size));
  CHECK_FALSE(shows(saved_and_read(heatmap(tensor({{0, 1}}))), "NaN", tick_size));
}

TEST_CASE("What NaN stands for can be said: then it is in the key, and not in the cells") {
  const Tensor hidden = tensor({{0.25, 0.75}, {1, NAN}});
  const Image plain = saved_and_read(heatmap(hidden, {.values = true}));
  const Image named = saved_and_read(heatmap(hidden, {.values = true, .missing = "masked"}));
  CHECK(shows(named, "masked", tick_size));
  CHECK_FALSE(shows(plain, "masked", tick_size));
  CHECK(shows(plain, "NaN", tick_size));
  CHECK_FALSE(shows(named, "NaN", tick_size));
}

TEST_CASE("Where edges are given, ticks are numbers between them") {
  const Image by_cell = saved_and_read(heatmap(ones({10, 10})));
  const Image by_x = saved_and_read(heatmap(ones({10, 10}), {.x_edges = Range{20, 70}, .y_edges = Range{1, -1}}));
  for (const char* number : {"20", "40", "60", "−1", "1"}) {
    CAPTURE(number);
    CHECK(shows(by_x, number, tick_size));
  }
  CHECK(shows(by_cell, "8", tick_size));
  CHECK_FALSE(shows(by_x, "8", tick_size));
  CHECK_FALSE(shows(by_cell, "20", tick_size));
}

TEST_CASE("Square cells: in a box that is too high or too wide a heatmap stands at the top, in the middle") {
  const auto box_of = [](const Tensor& matrix) {
    Axes axes;
    return data_box(axes.heatmap(matrix).content(), {10, 20, 110, 120});
  };
  const Box wide = box_of(ones({2, 4})), high = box_of(ones({4, 2}));
  CHECK(std::array{wide.left, wide.top, wide.right, wide.bottom} == std::array{10.0, 20.0, 110.0, 70.0});
  CHECK(std::array{high.left, high.top, high.right, high.bottom} == std::array{35.0, 20.0, 85.0, 120.0});
}

TEST_CASE("Signed numbers: 0 is white whatever the range, and a number has the same strength on both sides") {
  const Image image = saved_and_read(heatmap(tensor({{-1, 0}, {1, 4}}), {.map = Colormap::diverging}));
  const Frame frame = frame_of(image);
  CHECK(frame.at(image, 0.75, 0.25) == Rgb{247, 247, 247});
  CHECK(frame.at(image, 0.25, 0.25) == rgb_of(color_at(Colormap::diverging, 3 / 8.0)));
  CHECK(frame.at(image, 0.25, 0.75) == rgb_of(color_at(Colormap::diverging, 5 / 8.0)));
  CHECK(shows(image, "−4", tick_size));
}

TEST_CASE("A large matrix is averaged: a fine chessboard is even, one bright row among thousands is not lost") {
  const std::int64_t n = 3000;
  const Tensor parity = unsqueeze(arange(n, DType::f32), 1) + arange(n, DType::f32);
  const Tensor chess = parity - 2 * to(to(parity * 0.5, DType::i64), DType::f32);
  const Image board = saved_and_read(heatmap(chess, {.low = 0, .high = 1}));
  const Frame frame = frame_of(board);
  for (const double x : {0.1, 0.37, 0.5, 0.83})
    for (const double y : {0.13, 0.5, 0.94}) CHECK(close(frame.at(board, x, y), reds(0.5), 12));

  const Tensor row = equal(expand(unsqueeze(arange(n, DType::f32), 1), {n, n}), 1501);
  const Image line = saved_and_read(heatmap(row));
  const Frame around = frame_of(line);
  int bright = 0;
  for (int y = around.top; y < around.bottom; ++y)
    bright += !close(line.rgb((around.left + around.right) / 2, y), reds(0), 8);
  CHECK(bright >= 1);
  CHECK(bright <= 3);
  CHECK(shows(line, "2000", tick_size));  // ticks count cells of the matrix, not of the picture
}

TEST_CASE("A single NaN in a large matrix is seen") {
  Tensor matrix = zeros({2000, 2000});
  matrix.writable<float>()[2000 * 777 + 1234] = NAN;
  const Image image = saved_and_read(heatmap(matrix));
  const Frame frame = frame_of(image);
  int seen = 0;
  for (int y = frame.top; y < frame.bottom; ++y)
    for (int x = frame.left; x < frame.right; ++x) seen += image.rgb(x, y) == rgb_of(not_a_number);
  CHECK(seen > 0);
}

TEST_CASE("Odd matrices are drawn sensibly: nothing, one number, a constant, a row, a column, NaN only") {
  const Rgb blank{255, 255, 255}, middle = reds(0.5);
  for (const auto& [matrix, expected] : {std::pair{zeros({0, 0}), blank},
                                         {zeros({0, 4}), blank},
                                         {zeros({1, 1}), middle},
                                         {full({3, 3}, 2.5), middle},
                                         {ones({1, 300}), middle},
                                         {ones({300, 1}), middle},
                                         {full({2, 2}, NAN), rgb_of(not_a_number)},
                                         {full({2, 2}, INFINITY), reds(1)}}) {
    CAPTURE(matrix.shape());
    const Image image = saved_and_read(heatmap(matrix, {.title = "odd", .values = true}));
    CHECK(shows(image, "odd", title_size));
    const Frame frame = frame_of(image);
    CHECK(frame.bottom - frame.top >= 80);
    CHECK(frame.right - frame.left >= 80);
    for (const double near : {0.03, 0.97})
      for (const double place : {0.02, 0.98}) CHECK(frame.at(image, near, place) == expected);  // clear of the number
  }
  const Image constant = saved_and_read(heatmap(full({3, 3}, 2.5)));
  CHECK(frame_of(constant).at(constant, 0.2, 0.2) == reds(0.5));
}

TEST_CASE("Numbers in cells are readable on light and on dark") {
  const Image image = saved_and_read(heatmap(tensor({{0, 1}, {0.5, 0.25}}), {.values = true, .bar = false}));
  CHECK(shows(image, "0.00", tick_size));
  CHECK(shows(image, "0.25", tick_size));
  CHECK_FALSE(shows(image, "1.00", tick_size));  // it is white
  CHECK(count_pixels(image, {255, 255, 255}) >
        count_pixels(saved_and_read(heatmap(tensor({{0, 1}, {0.5, 0.25}}), {.bar = false})), {255, 255, 255}) + 20);
}

TEST_CASE("A weight has one colour in all pictures, by its square root; whatever else is there") {
  for (const double other : {0.0, 0.5, 1.0}) {
    const Image image = saved_and_read(heatmap(tensor({{0.25, other}}), {.map = Colormap::weights}));
    CHECK(frame_of(image).at(image, 0.25, 0.5) == reds(0.5));
    for (const char* label : {"0.1", "0.25", "1"}) CHECK(shows(image, label, tick_size));
    CHECK(shows(image, "weight", label_size, true));
  }
}

TEST_CASE("Where cells hold counts, those of 0 are empty") {
  for (const Colormap map : {Colormap::reds, Colormap::gray})
    CHECK_FALSE(shows(saved_and_read(heatmap(
                          tensor({{0, 3}, {3, 3}}),
                          {.x_tokens = {"a", "b"}, .y_tokens = {"a", "b"}, .map = map, .values = true, .bar = false})),
                      "0", tick_size));
  CHECK(shows(
      saved_and_read(heatmap(tensor({{0, -3}, {3, 3}}), {.map = Colormap::diverging, .values = true, .bar = false})),
      "0", tick_size));
}

TEST_CASE("Where cells hold counts, the bar marks whole numbers only") {
  const Image counts = saved_and_read(heatmap(tensor({{0, 1}, {2, 0}}), {.values = true}));
  const Image weights = saved_and_read(heatmap(tensor({{0, 1}, {2, 0.25}}), {.values = true}));
  CHECK_FALSE(shows(counts, "0.5", tick_size));
  CHECK_FALSE(shows(counts, "1.0", tick_size));
  CHECK(shows(counts, "2", tick_size));
  CHECK(shows(weights, "0.5", tick_size));
}

TEST_CASE("A grid of matrices has one range and one bar") {
  Tensor grid = zeros({2, 3, 4, 4});
  grid.writable<float>()[0] = 2;            // the first cell of all …
  grid.writable<float>()[5 * 16 + 15] = 1;  // … and the last of the last
  const Image image = saved_and_read(heatmap_grid(
      grid, {.x = "keys", .y = "queries"}, {.title = "Two layers", .titles = {"1", "2", "3", "4", "5", "head 6"}}));
  // One cell has the largest colour; the other, although the largest of its own matrix, half of it.
  const int full = count_pixels(image, reds(1)), half = count_pixels(image, reds(0.5));
  CHECK(full > 1000);
  CHECK(half == Approx(full).epsilon(0.1));
  CHECK(shows(image, "Two layers", 14));
  CHECK(shows(image, "head 6", title_size));
  CHECK(shows(image, "2.0", tick_size));
}
