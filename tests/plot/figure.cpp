// Lines, dots and the rest, as they are in the file.
#include "tensor/create.h"
#include "tensor/random/random.h"
#include "tests/catch.h"
#include "tests/plot/picture.h"
#include "tests/tensor/folder.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>

using namespace regard;
using namespace regard::plot;

namespace {

constexpr Rgb blue{31, 119, 180}, orange{255, 127, 14};

Image part(const Image& image, int left, int top, int right, int bottom) {
  Image result(right - left, bottom - top);
  for (int y = top; y < bottom; ++y)
    std::copy_n(image.bytes.begin() + 3 * (y * image.width + left), 3 * result.width, result.at(0, y - top));
  return result;
}

}  // namespace

TEST_CASE("A line runs where its numbers say, between ticks that are labelled") {
  Figure figure;
  figure.axes().line({0, 10}, {0, 1}).x_range(0, 10).y_range(0, 1).title("A line").x_label("epoch").y_label("∂L/∂w");
  const Image image = saved_and_read(figure);
  const Frame frame = frame_of(image);
  for (const double t : {0.1, 0.35, 0.5, 0.9}) {
    CHECK(frame.at(image, t, 1 - t) == blue);
    CHECK(frame.at(image, t, 0.93 - 0.9 * t) != blue);
  }
  for (const char* label : {"0", "4", "10", "0.2", "1.0"}) CHECK(shows(image, label, tick_size));
  CHECK(shows(image, "A line", title_size));
  CHECK(shows(image, "epoch", label_size));
  CHECK(shows(image, "∂L/∂w", label_size, true));

  // The tick of 4 stands below four tenths of the axis.
  const int x = frame.left + static_cast<int>(0.4 * (frame.right - frame.left));
  bool found = false;
  for (int i = x - 2; i <= x + 2; ++i) found = found || image.rgb(i, frame.bottom + 6) == rgb_of(ink);
  CHECK(found);
}

TEST_CASE("On logarithmic axes a power law is straight, and what is not positive leaves a gap") {
  Figure figure;
  figure.axes()
      .line({1, 10, 100, 1000}, {1, 10, 100, 1000})
      .x_logarithmic()
      .y_logarithmic()
      .x_range(1, 1000)
      .y_range(1, 1000);
  const Image image = saved_and_read(figure);
  const Frame frame = frame_of(image);
  for (const double t : {0.1, 0.45, 0.8}) CHECK(frame.at(image, t, 1 - t) == blue);
  CHECK(shows(image, "100", tick_size));

  Figure gap;
  gap.axes().line({1, 2, 3, 4, 5}, {1, 1, -1, 1, 1}).y_logarithmic().x_range(1, 5).y_range(0.1, 10);
  const Image broken = saved_and_read(gap);
  CHECK(frame_of(broken).at(broken, 0.2, 0.5) == blue);
  CHECK(frame_of(broken).at(broken, 0.5, 0.5) != blue);
  CHECK(frame_of(broken).at(broken, 0.8, 0.5) == blue);
}

TEST_CASE("NaN and infinities leave gaps and do not stretch the axes") {
  Figure figure;
  figure.axes().scatter({0, 1, 2, 3, 4}, {0, NAN, 5, INFINITY, 10});
  const Image image = saved_and_read(figure);
  CHECK(shows(image, "10", tick_size));
  CHECK(frame_of(image).at(image, 0.5, 0.5) == blue);
}

TEST_CASE("Dots, stems, bands and bars are where they belong, in the colours of their turn") {
  Figure figure({.columns = 2});
  figure.axes(0, 0)
      .band({0, 1}, {1, 1}, {3, 3}, {.color = hex(0x00ff00)})
      .stem({0.5}, {-2})
      .x_range(0, 1)
      .y_range(-4, 4);
  figure.axes(0, 1).histogram({1, 1, 1, 2, NAN}, 2).x_range(0, 3).y_range(0, 4);
  const Image image = saved_and_read(figure);
  const Frame frame = frame_of(image);
  CHECK(frame.at(image, 0.2, 0.25) == Rgb{0, 255, 0});  // y = 2
  CHECK(frame.at(image, 0.23, 0.43) == Rgb{255, 255, 255});
  CHECK(frame.at(image, 0.5, 0.6) == orange);  // the stalk, between 0 and −2
  CHECK(frame.at(image, 0.53, 0.8) == Rgb{255, 255, 255});
  // Two bins, 1 … 1.5 and 1.5 … 2, with 3 and 1: three times as much blue in the first.
  const int blues = count_pixels(image, blue);
  CHECK(blues == Approx(4 * (frame.right - frame.left) / 6.0 * (frame.bottom - frame.top) / 4.0).epsilon(0.05));
}

TEST_CASE("The legend keeps clear of the data, wherever that is") {
  // Data in three corners: the legend is in the fourth.
  const std::vector<Point> corners{{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  for (std::size_t empty = 0; empty < 4; ++empty) {
    Figure figure;
    for (std::size_t i = 0; i < 4; ++i)
      if (i != empty)
        figure.axes().scatter({corners[i].x}, {corners[i].y},
                              {.label = "corner", .color = series_color(0), .size = 40});
    figure.axes().x_range(-0.1, 1.1).y_range(-0.1, 1.1);
    const Image image = saved_and_read(figure);
    const Frame frame = frame_of(image);
    CHECK(shows(image, "corner", tick_size));
    for (std::size_t i = 0; i < 4; ++i)
      if (i != empty)
        for (const double shift : {-0.05, 0.0, 0.05})
          CHECK(frame.at(image, (corners[i].x + 0.1) / 1.2 + shift, 1 - (corners[i].y + 0.1) / 1.2 + shift) == blue);
  }
}

TEST_CASE("Lines are named at their right ends, apart from each other; what ends elsewhere is in the legend") {
  Figure figure;
  figure.axes()
      .line({0, 10}, {0, 1}, {.label = "upper", .color = black})
      .line({0, 10}, {0, 0.99}, {.label = "lower", .color = black})
      .line({0, 5}, {1, 1}, {.label = "short", .color = black})
      .line({0, 10}, {0.2, -2}, {.label = "leaving", .color = black})  // through the bottom: it has no end at the right
      .y_range(-0.1, 1.1);
  const Image image = saved_and_read(figure);
  const Frame frame = frame_of(image);
  const auto row_of = [&](const std::string& word) {  // of the picture to the right of the frame; −1: it is not there
    for (int y = 0; y + 36 <= image.height; ++y)
      if (shows(part(image, frame.right + 4, y, image.width, y + 36), word, tick_size)) return y;
    return -1;
  };
  REQUIRE(row_of("upper") >= 0);
  CHECK(row_of("lower") - row_of("upper") >= 24);  // 12 points
  for (const char* word : {"short", "leaving"}) {
    CHECK(row_of(word) < 0);
    CHECK(shows(image, word, tick_size));
  }
  Figure other;
  other.axes().line({0, 10}, {0, 1}, {.label = "upper", .color = black}).no_legend();
  CHECK_FALSE(shows(saved_and_read(other), "upper", tick_size));
}

TEST_CASE("A note stands right of its point, above it, or left of it") {
  const auto halves = [](Align side) {  // whether it is in the left, the right, the upper, the lower half
    Figure figure;
    figure.axes().x_range(0, 1).y_range(0, 1).note(0.5, 0.5, "note", side);
    const Image image = saved_and_read(figure);
    const Frame f = frame_of(image);
    const int x = (f.left + f.right) / 2, y = (f.top + f.bottom) / 2;
    const auto in = [&](int left, int top, int right, int bottom) {
      return shows(part(image, left, top, right, bottom), "note", tick_size);
    };
    return std::array{in(f.left, f.top, x, f.bottom), in(x, f.top, f.right, f.bottom), in(f.left, f.top, f.right, y),
                      in(f.left, y, f.right, f.bottom)};
  };
  CHECK(halves(Align::start) == std::array{false, true, false, false});
  CHECK(halves(Align::end) == std::array{true, false, false, false});
  CHECK(halves(Align::center) == std::array{false, false, true, false});
}

TEST_CASE("Where all is full of data, the legend stands above the frame, and the axis ends with the data") {
  Generator generator(3);
  const Tensor x = uniform({3000}, generator), y = uniform({3000}, generator);
  const auto drawn = [&](const std::string& label, auto change) {
    Figure figure;
    figure.axes().scatter(x, y, {.label = label}).title("title");
    change(figure.axes());
    return saved_and_read(figure);
  };
  const auto as_it_is = [](plot::Axes&) {};
  const auto chosen = [](plot::Axes& axes) { axes.y_range(0, 1); };
  const auto logarithmic = [](plot::Axes& axes) { axes.y_logarithmic().y_range(0.2, 0.9); };
  const auto check = [&](auto change) {
    const Image without = drawn("", change), with = drawn("everywhere", change);
    const Frame alone = frame_of(without), frame = frame_of(with);
    CHECK(shows(with, "everywhere", tick_size));
    CHECK(shows(with, "title", title_size));
    CHECK(frame.bottom == alone.bottom);
    CHECK(frame.top - alone.top == Approx(36).margin(1));  // a row of 15 points, and 3 between
    for (const double place : {0.05, 0.5, 0.95}) {  // the data is not hidden, neither on the left nor on the right
      int in_top = 0;
      for (int i = frame.top + 20; i < frame.top + 80; ++i)
        for (int j = -20; j < 20; ++j)
          in_top += with.rgb(frame.left + static_cast<int>(place * (frame.right - frame.left)) + j, i) == blue;
      CHECK(in_top > 0);
    }
    CHECK_FALSE(shows(with, "1.2", tick_size));
  };
  check(as_it_is);
  check(chosen);
  check(logarithmic);
}

TEST_CASE("A legend above the frame has as many rows as it needs") {
  Generator generator(3);
  Figure figure;
  for (const char* label : {"the first of them all", "the second of them all", "the third of them all", "the last one"})
    figure.axes().scatter(uniform({2000}, generator), uniform({2000}, generator), {.label = label});
  const Image image = saved_and_read(figure);
  for (const char* label : {"the first of them all", "the third of them all", "the last one"})
    CHECK(shows(image, label, tick_size));
  Figure alone;
  alone.axes().scatter(uniform({2000}, generator), uniform({2000}, generator));
  CHECK(frame_of(image).top - frame_of(saved_and_read(alone)).top == Approx(66).margin(1));  // two rows, and 3 between
}

TEST_CASE("Bare axes have no ticks") {
  Figure bare, framed;
  bare.axes().line({0, 7}, {100, 700}).bare();
  framed.axes().line({0, 7}, {100, 700});
  for (const char* tick : {"4", "600"}) {
    CHECK(shows(saved_and_read(framed), tick, tick_size));
    CHECK_FALSE(shows(saved_and_read(bare), tick, tick_size));
  }
}

TEST_CASE("One point, no point and a constant have axes as well") {
  for (const std::vector<double>& values : {std::vector<double>{}, {5.0}, {3.0, 3.0, 3.0}, {NAN}}) {
    Figure figure;
    std::vector<double> x(values.size());
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<double>(i);
    figure.axes().line(x, values).scatter(x, values).title("few");
    const Image image = saved_and_read(figure);
    const Frame frame = frame_of(image);
    CHECK(shows(image, "few", title_size));
    CHECK(frame.right - frame.left > 800);  // of 1040 × 740 pixels
    CHECK(frame.bottom - frame.top > 500);
    const double empty = empty_share(image, frame);
    CHECK(empty > 0.97);
    const bool has_data = !values.empty() && std::isfinite(values[0]);
    CHECK((empty < 1) == has_data);
    if (has_data) CHECK(frame.at(image, 0.5, 0.5) == orange);  // the dots, over the line
  }
}

TEST_CASE("Any range that is asked for, and any data, gives a frame with ticks") {
  const auto check = [](const Figure& figure) {
    const Image image = saved_and_read(figure);
    const Frame frame = frame_of(image);
    CHECK(frame.right - frame.left > 700);
    CHECK(frame.bottom - frame.top > 500);
    CHECK(empty_share(image, frame) > 0.97);
    int ticks_below = 0, ticks_beside = 0;
    for (int x = frame.left - 2; x < frame.right + 2; ++x) ticks_below += image.rgb(x, frame.bottom + 6) == rgb_of(ink);
    for (int y = frame.top - 2; y < frame.bottom + 2; ++y) ticks_beside += image.rgb(frame.left - 6, y) == rgb_of(ink);
    CHECK(ticks_below >= 2);
    CHECK(ticks_beside >= 2);
    CHECK(ticks_below + ticks_beside < 200);
  };
  const auto with = [](auto change) {
    Figure figure;
    figure.axes().line({1, 2, 5}, {1, 2, 3}).scatter({1, 2, 5}, {1, 2, 3});
    change(figure.axes());
    return figure;
  };
  check(with([](plot::Axes& axes) { axes.x_range(5, 5).y_range(0, 0); }));
  check(with([](plot::Axes& axes) { axes.x_range(-1, 10).x_logarithmic().y_range(0, 3).y_logarithmic(); }));
  check(with([](plot::Axes& axes) { axes.x_range(-5, -1).x_logarithmic(); }));
  check(with([](plot::Axes& axes) { axes.x_range(1e18, 1e18 + 256); }));
  check(with([](plot::Axes& axes) { axes.x_range(-1e308, 1e308).y_range(5e-324, 1e-323); }));
  for (const double y : {1e308, 1.7e308, 5e-324}) {
    Figure figure;
    figure.axes().line({1, 2}, {-y, y}).scatter({1, 2}, {-y, y}, {.label = "far"});
    check(figure);
    Figure logarithmic;
    logarithmic.axes().line({1, 2}, {5e-324, y}).y_logarithmic();
    check(logarithmic);
  }
  Figure denormal;
  denormal.axes().line({1, 2}, {5e-324, 1e-323});
  check(denormal);
}

TEST_CASE("The numbers below an axis are not cut off at its ends") {
  Figure figure;
  figure.axes().line({1e9, 1e9 + 1, 1e9 + 2}, {0, 1, 0}).x_range(1e9, 1e9 + 2);
  const Image image = saved_and_read(figure);
  for (const char* label : {"1.000000000×10⁹", "1.000000002×10⁹"}) CHECK(shows(image, label, tick_size));
}

TEST_CASE("A file holds up to 256 colours as they are; of more, those that fill most of the picture") {
  const Folder folder;
  const auto written_and_read = [&](const Image& image) {
    write_png(image, folder / "colours.png");
    return read_png(folder / "colours.png");
  };
  Image few(32, 24), many(64, 64);
  for (int i = 0; i < 32 * 24; ++i) few.bytes[3 * i] = static_cast<std::uint8_t>(i % 256), few.bytes[3 * i + 1] = 7;
  CHECK(written_and_read(few).bytes == few.bytes);
  for (int i = 0; i < 64 * 64; ++i) {  // 2048 colours of a pixel each, above one that fills a half
    many.bytes[3 * i] = i < 2048 ? static_cast<std::uint8_t>(i % 64 * 4) : 200;
    many.bytes[3 * i + 1] = i < 2048 ? static_cast<std::uint8_t>(i / 64 * 8) : 0;
    many.bytes[3 * i + 2] = 0;
  }
  const Image back = written_and_read(many);
  int farthest = 0;
  for (std::size_t i = 0; i < many.bytes.size(); ++i)
    farthest = std::max(farthest, std::abs(many.bytes[i] - back.bytes[i]));
  CHECK(back.rgb(5, 60) == Rgb{200, 0, 0});
  CHECK(farthest > 0);
  CHECK(farthest <= 20);  // 96 colours shared by a plane of 256 × 256 are cells of about 26 × 26
}

TEST_CASE("The same figure is the same file, byte for byte") {
  Figure figure;
  figure.axes().line({0, 1, 2}, {0, 3, 1}, {.label = "a"});
  CHECK(encode_png(figure.draw()) == encode_png(figure.draw()));
  CHECK(
      encode_png(figure.draw()).ends_with("IEND\xae\x42\x60\x82"));  // the check sum of these letters, as in every PNG
}

TEST_CASE("A folder is made; one that cannot be, and one that cannot be written to, are clear errors") {
  const Folder folder;
  Figure figure;
  figure.save(folder / "a/b/c.png");
  CHECK(read_png(folder / "a/b/c.png").width == 1040);

  std::ofstream(folder / "file") << "not a folder";
  CHECK_THROWS_WITH(figure.save(folder / "file/x.png"), Catch::Matchers::ContainsSubstring("file/x.png") ||
                                                            Catch::Matchers::ContainsSubstring("the folder"));
  CHECK_THROWS_AS(figure.save("/proc/nowhere/x.png"), IoError);
  CHECK_THROWS_WITH(read_png(folder / "file"), Catch::Matchers::ContainsSubstring("not a PNG"));
}

TEST_CASE("What does not fit together is said") {
  Figure figure;
  CHECK_THROWS_WITH(figure.axes().line({1, 2}, {1}), "plot: 2 numbers for x and 1 for y: there must be a y for each x");
  CHECK_THROWS_WITH(figure.axes(0, 1), "Figure: there are no axes at (0, 1) in a grid of 1 × 1");
  CHECK_THROWS_WITH(heatmap(zeros({2, 3}), {.x_tokens = {"a"}}),
                    "heatmap: 1 x_tokens for a matrix (2, 3): there must be 3, or none");
  CHECK_THROWS_WITH(heatmap(zeros({3})), "heatmap: (3) is not a matrix");
  CHECK_THROWS_WITH(heatmap_grid(zeros({2, 2, 3, 3}), {}, {.titles = {"abcd"}}),
                    "heatmap_grid: 1 titles for 4 matrices: there must be one for each, or none");
  CHECK_THROWS_WITH(heatmap_grid(zeros({0, 2, 3, 3})), "heatmap_grid: (0, 2, 3, 3) holds no matrices to draw");
  CHECK_THROWS_AS(heatmap_grid(zeros({2, 0, 3, 3})), ShapeError);
  CHECK_THROWS_WITH(heatmap_grid(zeros({1, 1, 3, 3}), {}, {.cell = 5}),
                    "heatmap_grid: cells of 5 points; 20 to 2000 can be drawn");
  CHECK_THROWS_AS(heatmap_grid(zeros({1, 1, 3, 3}), {}, {.cell = NAN}), ValueError);
  CHECK_THROWS_WITH(figure.axes().x_range(3, 1),
                    "plot: x_range(3, 1): both must be finite, and the first not above the second");
  CHECK_THROWS_AS(figure.axes().y_range(NAN, 1), ValueError);
  CHECK_THROWS_AS(figure.axes().y_range(0, INFINITY), ValueError);
  CHECK_THROWS_WITH(figure.axes().scatter({1}, {1}, {.size = NAN}),
                    Catch::Matchers::ContainsSubstring("each must be a finite number from 0 on"));
  CHECK_THROWS_AS(figure.axes().line({1}, {1}, {.width = -1}), ValueError);
  CHECK_THROWS_AS(figure.axes().line({1}, {1}, {.alpha = INFINITY}), ValueError);
  CHECK_THROWS_WITH(Figure({.width = -5, .height = 10, .scale = 1e9}).draw(),
                    Catch::Matchers::ContainsSubstring("outside 1 … 20000"));
}
