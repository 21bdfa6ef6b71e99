#include "nn/tools/draw/draw.h"

#include "autograd/all.h"
#include "nn/tools/draw/picture.h"
#include "nn/tools/draw/svg.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <algorithm>
#include <cmath>
#include <regex>

namespace regard {

using Catch::Matchers::ContainsSubstring;
using Kind = DrawnNode::Kind;

namespace {

std::size_t find(const Drawing& drawing, const std::string& name, std::size_t nth = 0) {
  for (std::size_t i = 1; i < drawing.nodes.size(); ++i)
    if (drawing.nodes[i].name == name && nth-- == 0) return i;
  FAIL("there is no node " << name);
  return 0;
}

std::optional<double> gradient(const Drawing& drawing, std::size_t from, std::size_t to) {
  for (const DrawnLine& line : drawing.lines)
    if (line.from == from && line.to == to) return line.gradient;
  FAIL("there is no line from " << drawing.nodes[from].name << " to " << drawing.nodes[to].name);
  return {};
}

Variable chain(Variable x, int times) {
  for (int i = 0; i < times; ++i) x = sin(x);
  return x;
}

}  // namespace

TEST_CASE("draw: operations, inputs, parameters and constants, by hand") {
  const Variable x = leaf({1, 2}), w = leaf({3, 4}), product = x * w, c = f64({5, 6});  // c is made after an operation
  const Variable loss = sum(product + c);
  const Drawing drawing = draw(loss, {{"x", x}, {"m.w", w}});
  CHECK(drawing.nodes[find(drawing, "x")].kind == Kind::input);
  CHECK(drawing.nodes[find(drawing, "sum")].formula == "Σ x");
  CHECK(drawing.nodes[find(drawing, "sum")].shape == "()");
  CHECK(drawing.nodes[find(drawing, "add")].shape == "(2)");
  const DrawnNode& weight = drawing.nodes[find(drawing, "w")];
  CHECK(weight.kind == Kind::parameter);
  CHECK(drawing.nodes[weight.box].name == "m");
  CHECK(weight.told == "m.w\nvalue f64 (2)\nmean 3.5, from 3 to 4\ngradient norm 2.236");  // of (1, 2): √5
  CHECK(std::ranges::count(drawing.nodes, Kind::constant, &DrawnNode::kind) == 1);

  loss.backward();  // the graph is as it was
  CHECK(to_vector(x.gradient().value()) == Numbers{3, 4});
}

TEST_CASE("draw: a line tells the norm of the gradient that comes back, for all uses that it leads to") {
  const Variable x = leaf({1, 2}), w = leaf({3, 4});
  const Variable y = x * w;                           // in m
  const Variable loss = sum(y * 2 + y * w * x * -1);  // ∂/∂y is 2 − w·x along one line, and in parts along two
  const Drawing drawing = draw(loss, {{"x", x}, {"m.a.w", w}});
  const std::size_t product = find(drawing, "multiply");
  double into_the_product = 0;
  for (const DrawnLine& line : drawing.lines)
    if (line.from == find(drawing, "x") && line.to == product) into_the_product = line.gradient.value();
  // ∂loss/∂y·w by hand: (2 − 3·1, 2 − 4·2)·(3, 4) = (−3, −24)
  CHECK(into_the_product == Approx(std::hypot(-3, -24)));

  const Variable z = tanh(x);
  const Drawing square = draw(sum(z * z), {{"x", x}});
  const double t1 = std::tanh(1), t2 = std::tanh(2);
  CHECK(*gradient(square, find(square, "tanh"), find(square, "multiply")) == Approx(2 * std::hypot(t1, t2)));
}

TEST_CASE("draw: very many operations are put into boxes, and very long chains do not overflow the stack") {
  const Variable x = leaf(0.5);
  const Drawing drawing = draw(chain(x, 20'000), {{"x", x}});
  REQUIRE(drawing.nodes[0].children.size() == 3);  // 167 boxes of 120 are two again; and x
  const DrawnNode& first = drawing.nodes[drawing.nodes[0].children[0]];
  CHECK(first.name == "parts 1 – 120");
  CHECK(first.formula == "14400 operations");
  CHECK(drawing.nodes[first.children[1]].name == "parts 121 – 240");
  CHECK(drawing.nodes[first.children[1]].children.size() == 120);
}

TEST_CASE("draw: a value that crosses borders has a line for each piece of its way") {
  const Variable x = leaf({1, 2}), a = leaf({1, 1}), b = leaf({2, 2});
  const Drawing drawing = draw(sum((x * a) * b), {{"x", x}, {"net.a.w", a}, {"net.b.w", b}});
  const std::size_t net = find(drawing, "net"), box_a = find(drawing, "a"), box_b = find(drawing, "b");
  const std::size_t from_a = find(drawing, "multiply", 0), from_b = find(drawing, "multiply", 1);
  CHECK(*gradient(drawing, from_a, box_a) == Approx(std::hypot(2, 2)));  // it leaves a
  CHECK(*gradient(drawing, from_a, box_b) == Approx(std::hypot(2, 2)));  // and enters b
  CHECK(*gradient(drawing, from_a, from_b) == Approx(std::hypot(2, 2)));
  CHECK(*gradient(drawing, from_b, net) == Approx(std::hypot(1, 1)));
  const auto inside = [&](std::size_t box) {
    std::vector<std::pair<std::size_t, std::size_t>> ways;
    for (const std::size_t i : drawing.nodes[box].lines) ways.push_back({drawing.lines[i].from, drawing.lines[i].to});
    return ways;
  };
  CHECK(std::ranges::count(inside(box_a), std::pair(from_a, box_a)) == 1);
  CHECK(std::ranges::count(inside(net), std::pair(from_a, box_b)) == 1);
}

TEST_CASE("draw: lines on which nothing comes back, zeros and NaN look like it, and the strongest is the widest") {
  const Variable x = leaf({-1, 4}), c = f64({1, 1});
  const auto look = [](const Drawing& drawing, const std::string& value) {  // of the line from it
    const std::string svg = to_svg(drawing);
    const std::regex path("<path class=\"([a-z]+)\" stroke-width=\"([0-9.]+)\"[^>]*><title>" + value + " ");
    std::smatch found;
    return std::regex_search(svg, found, path) ? found.str(1) + " " + found.str(2) : "no line";
  };
  const Drawing drawing = draw(sum(sqrt(x) + c), {{"x", x}, {"c", c}});
  CHECK(look(drawing, "x") == "broken 4.0");  // √−1
  CHECK(look(drawing, "sqrt") == "plain 5.0");
  CHECK(look(drawing, "c") == "none 1.0");
  CHECK(look(draw(sum(relu(x * -1) * 0), {{"x", x}}), "relu") == "none 1.0");
}

TEST_CASE("draw: a line a tenth as strong is a point thinner, down to one") {
  CHECK(line_width(100, 100) == 5);
  CHECK(line_width(10, 100) == 4);
  CHECK(line_width(0.01, 0.1) == Approx(4));
  CHECK(line_width(1e-9, 100) == 1);
}

TEST_CASE("draw: outer boxes are open first, while there is room") {
  const Variable x = leaf({1, 2}), a = leaf({1, 1}), b = leaf({2, 2});
  const Drawing drawing = draw(sum(tanh(x * a) * b), {{"x", x}, {"net.a.w", a}, {"net.b.w", b}});
  const auto is_open = [&](const std::string& box, std::size_t most) {
    const std::vector<Picture::Frame> frames = lay_out(drawing, 0, most).frames;
    const auto frame = std::ranges::find(frames, find(drawing, box), &Picture::Frame::node);
    return frame != frames.end() && frame->open;
  };
  CHECK_FALSE(is_open("net", 0));
  CHECK(is_open("net", 120));
  CHECK_FALSE(is_open("b", 120));  // a single operation: nothing to see inside
}

TEST_CASE("draw: SVG and HTML show names, not obey them") {
  const Variable x = leaf({1, 2});
  const Drawing drawing = draw(sum(x), {{"<b>&\"x", x}});
  CHECK_THAT(to_svg(drawing), ContainsSubstring("&lt;b&gt;&amp;&quot;x"));
  CHECK_THAT(to_svg(drawing), !ContainsSubstring("<b>"));
  CHECK_THAT(to_html(drawing), !ContainsSubstring("<b>"));
}

TEST_CASE("draw: a leaf alone is a picture, too; what was freed or is missing is an error") {
  CHECK(lay_out(draw(leaf({1, 2}))).frames.size() == 1);
  CHECK(lay_out(draw(Variable(f64({1, 2})))).frames.size() == 1);
  CHECK_THROWS_WITH(draw(Variable()), ContainsSubstring("draw"));
  const Variable loss = sum(leaf({1, 2}));
  loss.backward();
  CHECK_THROWS_WITH(draw(loss), ContainsSubstring("draw: the graph behind 'sum' () was freed"));
}

TEST_CASE("draw: in SVG, the colours for dark stand in a rule of their own, and nothing else does") {
  const std::string svg = to_svg(draw(sin(leaf(0.5))));
  const std::size_t begin = svg.find("@media (prefers-color-scheme: dark) {");
  REQUIRE(begin != std::string::npos);
  const std::string rule = svg.substr(begin, svg.find("</style>") - begin);
  CHECK(std::ranges::count(rule, '{') == 2);
  CHECK(std::ranges::count(rule, '}') == 2);
  CHECK(rule.find("--") != std::string::npos);
}

TEST_CASE("draw: the page has a picture of each box, which tells where values come from, and a way back out") {
  const Variable x = leaf({1, 2}), a = leaf({1, 1});
  const Drawing drawing = draw(sum(tanh(exp(x) * a)), {{"x", x}, {"net.a.w", a}});
  const std::string page = to_html(drawing);
  const std::regex link("href=\"#([^\"]+)\"");
  for (std::sregex_iterator each(page.begin(), page.end(), link); each != std::sregex_iterator(); ++each)
    CHECK_THAT(page, ContainsSubstring("<section id=\"" + each->str(1) + "\""));
  const std::size_t box = find(drawing, "net.a");
  const std::size_t begin = page.find(fmt::format("<section id=\"b{}\"", box));
  REQUIRE(begin != std::string::npos);
  const std::string inside = page.substr(begin, page.find("</section>", begin) - begin);
  CHECK_THAT(inside, ContainsSubstring("<a href=\"#b0\">all</a> › <strong>net.a</strong>"));
  CHECK_THAT(inside, ContainsSubstring("<g class=\"source\"") && ContainsSubstring(">exp</text>"));
  CHECK_THAT(inside, ContainsSubstring(">multiply<") && ContainsSubstring(">w<"));
  CHECK_THAT(inside, !ContainsSubstring(">tanh<"));
}

}  // namespace regard
