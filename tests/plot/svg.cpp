// Figures as SVG files: read as text, as far as a browser would have to agree.
#include "examples/plot/svg.h"

#include "examples/plot/figure.h"
#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/random/random.h"
#include "tests/catch.h"
#include "tests/plot/picture.h"
#include "tests/tensor/folder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <regex>
#include <set>
#include <string>
#include <vector>

using namespace regard;
using namespace regard::plot;
using Catch::Matchers::ContainsSubstring;

namespace {

// What a pattern finds, all over a text: its first group, or all of it.
std::vector<std::string> all_of(const std::string& text, const std::string& pattern) {
  std::vector<std::string> found;
  const std::regex expression(pattern);
  for (std::sregex_iterator at(text.begin(), text.end(), expression), end; at != end; ++at)
    found.push_back((*at)[expression.mark_count()]);
  return found;
}

// Whether each element that begins ends, inside the one in which it began, and its attributes are of the form a="b".
bool is_well_formed(const std::string& xml) {
  const std::regex tag(R"raw(<(/?)([a-z]+)((?: [a-zA-Z-]+="[^"<&]*")*)(/?)>)raw");
  std::vector<std::string> open;
  std::string rest = std::regex_replace(xml, tag, "");
  for (std::sregex_iterator at(xml.begin(), xml.end(), tag), end; at != end; ++at) {
    if ((*at)[1].length()) {
      if (open.empty() || open.back() != (*at)[2]) return false;
      open.pop_back();
    } else if (!(*at)[4].length()) {
      open.push_back((*at)[2]);
    }
  }
  rest = std::regex_replace(rest, std::regex("&(amp|lt);"), "");
  return open.empty() && rest.find_first_of("<&") == std::string::npos;
}

std::vector<Point> points_of(const std::string& places) {
  std::vector<Point> points;
  for (const std::string& place : all_of(places, "[^ ]+"))
    points.push_back({std::stod(place), std::stod(place.substr(place.find(',') + 1))});
  return points;
}

// The places, first x and then y, at which a word stands.
Point place_of(const std::string& svg, const std::string& word) {
  const auto number = [&](const std::string& name) {
    const auto found = all_of(svg, name + "=\"([0-9.]+)\"[^>]*>" + word + "</text>");
    REQUIRE(found.size() == 1);
    return std::stod(found[0]);
  };
  return {number("<text x"), number(" y")};
}

}  // namespace

TEST_CASE("A chart is a well-formed SVG with its title, its words and as many corners as its line has") {
  const Folder folder;
  Figure figure({.width = 500, .height = 300});
  figure.axes()
      .line({0, 1, 2, 3, 4, 5, 6}, {0, 1, 0, 1, 0, 1, 0}, {.label = "up & down"})
      .title("1 < 2")
      .x_label("epoch")
      .y_label("∂L/∂w");
  figure.save(folder / "a/chart.svg");
  const std::string svg = read_file(folder / "a/chart.svg");
  CHECK(is_well_formed(svg));
  CHECK_FALSE(is_well_formed("<svg><g></svg>"));
  CHECK_FALSE(is_well_formed("<svg>1 < 2</svg>"));
  CHECK(svg.starts_with(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"620\" height=\"372\" viewBox=\"0 0 500 300\""));
  CHECK_THAT(svg, ContainsSubstring("<title>1 &lt; 2</title>"));
  for (const char* word : {"1 &lt; 2", "epoch", "∂L/∂w", "up &amp; down"})
    CHECK_THAT(svg, ContainsSubstring(std::string(">") + word + "</text>"));
  const auto lines = all_of(svg, "<polyline points=\"([^\"]*)\"");
  REQUIRE(lines.size() == 1);
  CHECK(points_of(lines[0]).size() == 7);
  for (const std::string& size : all_of(svg, "font-size=\"([0-9.]+)\"")) CHECK(std::stod(size) >= 11);
}

TEST_CASE("The ticks of an SVG stand where the line has these numbers") {
  Figure figure;
  figure.axes().line({0, 4, 10}, {0, 1, 2}).x_range(0, 10).y_range(0, 2);
  const std::string svg = figure.svg();
  const std::vector<Point> line = points_of(all_of(svg, "<polyline points=\"([^\"]*)\"").at(0));
  REQUIRE(line.size() == 3);
  CHECK(place_of(svg, "4").x == Approx(line[1].x).margin(0.5));
  CHECK(place_of(svg, "10").x == Approx(line[2].x).margin(0.5));
  const double half_a_digit = 0.365 * tick_size;
  CHECK(place_of(svg, "1\\.0").y == Approx(line[1].y + half_a_digit).margin(0.5));
  CHECK(place_of(svg, "2\\.0").y == Approx(line[2].y + half_a_digit).margin(0.5));
  CHECK(all_of(svg, "text-anchor=\"middle\">4<").size() == 1);
  CHECK(all_of(svg, "text-anchor=\"end\">2\\.0<").size() == 1);
}

TEST_CASE("Of a smooth curve only corners that are seen are written, and what leaves the frame is cut") {
  const auto line_of = [](const Figure& figure) { return all_of(figure.svg(), "<polyline points=\"([^\"]*)\""); };
  const Tensor x = linspace(0, 1, 3000, DType::f64);
  Figure straight, curved, leaving, gap, far;
  straight.axes().line(x, 3 * x);
  curved.axes().line(x, x * x);
  leaving.axes().line({0, 1, 2, 3, 4}, {0, 9, 0, 9, 0}).y_range(0, 1);
  gap.axes().line({0, 1, 2, 3, 4}, {0, 1, NAN, 1, 2});
  far.axes().line({0, 1, 2}, {0, 1e300, 0}).scatter({1}, {1e300}).y_range(0, 1);
  CHECK(points_of(line_of(straight).at(0)).size() == 2);
  CHECK(points_of(line_of(curved).at(0)).size() > 8);
  CHECK(points_of(line_of(curved).at(0)).size() < 40);
  CHECK(line_of(leaving).size() == 3);
  CHECK(line_of(gap).size() == 2);
  for (const std::string& piece : line_of(far))
    for (const Point& p : points_of(piece)) CHECK(std::abs(p.y) < 400);
  CHECK_THAT(far.svg(), !ContainsSubstring("<circle"));

  // What is left is nowhere farther away than was asked for.
  std::vector<Point> parabola;
  for (int i = 0; i <= 1000; ++i) parabola.push_back({0.3 * i, 1e-3 * i * i});
  const std::vector<Point> few = thinned(parabola, 0.1);
  for (const Point& p : parabola) {
    double nearest = 1e9;
    for (std::size_t i = 0; i + 1 < few.size(); ++i)
      nearest = std::min(nearest, distance_to_segment(p, few[i], few[i + 1]));
    CHECK(nearest <= 0.1 + 1e-12);
  }
}

TEST_CASE("An SVG has the shapes of all kinds of data, inside its frame, and no colour that is not in the palette") {
  Figure figure({.columns = 2, .title = "all"});
  Axes& axes = figure.axes(0, 0);
  for (int i = 0; i < 10; ++i) axes.line({0, 1}, {1.0 * i, 1.1 * i}, {.label = std::to_string(i)});
  axes.note(0.5, 4, "a note");
  figure.axes(0, 1)
      .band({0, 1, 2, 3, 4}, {0, 0, NAN, 0, 0}, {3, 3, 3, 3, 3}, {.label = "band", .alpha = 0.2})
      .stem({0, 1}, {-1, 1})
      .scatter({2}, {2}, {.color = color_of_data})
      .bars({3, 4}, {2, 9}, {.color = color_of_bound})
      .line({0, 4}, {1, 1}, {.color = ink, .dashed = true})
      .y_range(-2, 4);
  const std::string svg = figure.svg();
  CHECK(is_well_formed(svg));
  CHECK_THAT(svg, ContainsSubstring("<title>all</title>"));
  CHECK(all_of(svg, "<polygon").size() == 2);                // a band in two parts
  CHECK(all_of(svg, "fill-opacity=\"0\\.2\"").size() == 3);  // and its sample in the legend
  CHECK(all_of(svg, "<circle").size() == 3);
  CHECK(all_of(svg, "stroke-dasharray=\"6\\.4 3\\.84\"").size() == 1);

  std::set<std::string> palette{"ffffff", "262626", "eeeeee", "cccccc", "9a9a9a", "7f7f7f"};
  for (const Color& color : series_colors)
    for (const Color& one : {color, readable(color)})
      palette.insert(fmt::format("{:02x}{:02x}{:02x}", rgb_of(one)[0], rgb_of(one)[1], rgb_of(one)[2]));
  const auto colors = all_of(svg, "#([0-9a-f]+)");
  CHECK(colors.size() > 40);
  for (const std::string& color : colors) CHECK(palette.contains(color));
}

TEST_CASE("What has no title is told by its axes") {
  Figure figure({.columns = 2});
  figure.axes(0, 0).line({0, 1}, {0, 1}).x_label("steps").y_label("loss");
  figure.axes(0, 1).line({0, 1}, {0, 1}).title("after");
  CHECK_THAT(figure.svg(), ContainsSubstring("<title>loss over steps; after</title>"));
  Figure lines({.columns = 2});
  lines.axes(0, 0).line({0, 1}, {0, 1});
  lines.axes(0, 1).line({0, 1}, {0, 1}).x_label("steps");
  CHECK_THAT(lines.svg(), ContainsSubstring("<title>steps</title>"));
}

TEST_CASE("A legend that stands above an SVG hides nothing that was drawn before") {
  Generator generator(3);
  Figure figure;
  figure.axes().scatter(uniform({2000}, generator), uniform({2000}, generator), {.label = "everywhere"});
  CHECK(all_of(figure.svg(), "<circle").size() == 2001);  // and one in the legend
}

TEST_CASE("A word that stands upright is turned about its place") {
  Svg svg;
  svg.text({20, 100}, "up", {.size = 10, .horizontal = Align::start, .vertical = Align::end, .upwards = true});
  // It begins at a height of 100 and its line is 7.6 to the right of 20; turned by −90°, (x, y) comes to (y, −x).
  CHECK_THAT(svg.file({0, 0, 50, 150}, ""),
             ContainsSubstring("<text transform=\"rotate(-90)\" x=\"-100\" y=\"27.6\" font-size=\"10\">up</text>"));
}

TEST_CASE("A heatmap is no SVG, and is told where to go") {
  CHECK_THROWS_WITH(heatmap(zeros({2, 2})).svg(),
                    "plot: a heatmap is made of pixels, and an SVG file of lines and words: save it as .png");
}
