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

std::size_t open_frames(const Drawing& drawing) {
  const Picture picture = lay_out(drawing);
  return static_cast<std::size_t>(std::ranges::count_if(picture.frames, &Picture::Frame::open));
}

}  // namespace

TEST_CASE("draw: operations, inputs, parameters and constants, by hand") {
  const Variable x = leaf({1, 2}), w = leaf({3, 4}), c = f64({5, 6});
  const Variable loss = sum(x * w + c);
  const Drawing drawing = draw(loss, {.names = {{"x", x}, {"m.w", w}}});
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
  const Drawing drawing = draw(loss, {.names = {{"x", x}, {"m.a.w", w}}});
  const std::size_t product = find(drawing, "multiply");
  double into_the_product = 0;
  for (const DrawnLine& line : drawing.lines)
    if (line.from == find(drawing, "x") && line.to == product) into_the_product = line.gradient.value();
  // ∂loss/∂y·w by hand: (2 − 3·1, 2 − 4·2)·(3, 4) = (−3, −24)
  CHECK(into_the_product == Approx(std::hypot(-3, -24)));

  const Variable z = tanh(x);
  const Drawing square = draw(sum(z * z), {.names = {{"x", x}}});
  const double t1 = std::tanh(1), t2 = std::tanh(2);
  CHECK(*gradient(square, find(square, "tanh"), find(square, "multiply")) == Approx(2 * std::hypot(t1, t2)));
}

TEST_CASE("draw: lines on which nothing comes back, zeros and NaN look like it") {
  const Variable x = leaf({-1, 4}), c = f64({1, 1});
  const auto look = [](const Drawing& drawing, std::size_t from, std::size_t to) {
    for (std::size_t i = 0; i < drawing.lines.size(); ++i)
      if (drawing.lines[i].from == from && drawing.lines[i].to == to) return looks_of(drawing)[i].look;
    return std::string("no line");
  };
  const Drawing drawing = draw(sum(sqrt(x) + c), {.names = {{"x", x}, {"c", c}}});
  CHECK(look(drawing, find(drawing, "x"), find(drawing, "sqrt")) == "broken");  // √−1
  CHECK(look(drawing, find(drawing, "sqrt"), find(drawing, "add")) == "plain");
  CHECK(look(drawing, find(drawing, "c"), find(drawing, "add")) == "none");
  const Drawing zero = draw(sum(relu(x * -1) * 0), {.names = {{"x", x}}});
  CHECK(look(zero, find(zero, "relu"), find(zero, "affine", 1)) == "none");
}

TEST_CASE("draw: a line a tenth as strong is a point thinner, down to one") {
  const Drawing drawing{{{.kind = Kind::box}, {.name = "a"}, {.name = "b"}},
                        {{1, 2, 100.0}, {1, 2, 10.0}, {1, 2, 1e-9}}};
  const std::vector<LineLook> looks = looks_of(drawing);
  CHECK(looks[0].width == 5);
  CHECK(looks[1].width == 4);
  CHECK(looks[2].width == 1);
  const Drawing small{{{.kind = Kind::box}, {.name = "a"}, {.name = "b"}}, {{1, 2, 0.1}, {1, 2, 0.01}}};
  CHECK(looks_of(small)[0].width == 5);
  CHECK(looks_of(small)[1].width == Approx(4));
}

TEST_CASE("draw: a long chain of equal operations is one box, which opens") {
  const Variable x = leaf(0.5);
  Drawing drawing = draw(chain(x, 50), {.names = {{"x", x}}});
  const std::size_t box = drawing.nodes[0].children[0];  // before x, which it uses
  CHECK(drawing.nodes[box].name == "sin");
  CHECK(drawing.nodes[box].times == 50);
  CHECK(drawing.nodes[box].children.size() == 50);
  CHECK(drawing.nodes[box].folded);
  CHECK(open_frames(drawing) == 1);
  CHECK(lay_out(drawing).frames.size() == 3);  // x, the box, and the one operation that stands for all
  drawing.nodes[box].folded = false;
  CHECK(lay_out(drawing).frames.size() == 52);
}

TEST_CASE("draw: groups of operations that repeat are one box; those that differ are not") {
  const Variable x = leaf(0.5), w = leaf(0.7);
  Variable y = x;
  for (int i = 0; i < 5; ++i) y = tanh(y * w) + 1;
  const Drawing drawing = draw(y);
  CHECK(drawing.nodes[find(drawing, "3 operations")].times == 5);
  Variable z = x;
  for (int i = 0; i < 5; ++i) z = i == 2 ? exp(z * w) + 1 : tanh(z * w) + 1;
  const Drawing other = draw(z);
  CHECK(std::ranges::none_of(other.nodes, [](const DrawnNode& node) { return node.times > 1; }));
}

TEST_CASE("draw: groups of the same operations, connected in another way, are not one repetition") {
  Variable y = leaf(0.5);
  for (int i = 0; i < 8; ++i) {
    const Variable t = tanh(y);
    y = t * (i < 4 ? y : t);
  }
  const Drawing drawing = draw(y);
  CHECK(drawing.nodes[find(drawing, "2 operations", 0)].times == 4);
  CHECK(drawing.nodes[find(drawing, "2 operations", 1)].times == 4);
}

TEST_CASE("draw: very many operations are put into boxes, and very long chains do not overflow the stack") {
  const Variable x = leaf(0.5);
  Variable y = x;
  std::uint64_t bits = 12345;  // no period
  for (int i = 0; i < 3000; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    y = bits >> 63 ? sin(y) : cos(y);
  }
  const Drawing drawing = draw(y);
  CHECK(drawing.nodes[0].children.size() <= 121);
  CHECK(lay_out(drawing).frames.size() <= 250);
  CHECK(lay_out(draw(chain(x, 20'000), {.names = {{"x", x}}})).frames.size() == 3);
}

TEST_CASE("draw: a value that crosses borders has a line for each piece of its way") {
  const Variable x = leaf({1, 2}), a = leaf({1, 1}), b = leaf({2, 2});
  const Drawing drawing = draw(sum((x * a) * b), {.names = {{"x", x}, {"net.a.w", a}, {"net.b.w", b}}});
  const std::size_t net = find(drawing, "net"), box_a = find(drawing, "a"), box_b = find(drawing, "b");
  const std::size_t from_a = find(drawing, "multiply", 0), from_b = find(drawing, "multiply", 1);
  CHECK(*gradient(drawing, from_a, box_a) == Approx(std::hypot(2, 2)));  // it leaves a
  CHECK(*gradient(drawing, from_a, box_b) == Approx(std::hypot(2, 2)));  // and enters b
  CHECK(*gradient(drawing, from_a, from_b) == Approx(std::hypot(2, 2)));
  CHECK(*gradient(drawing, from_b, net) == Approx(std::hypot(1, 1)));
  CHECK(drawing.box_of({from_a, box_a, {}}) == box_a);
  CHECK(drawing.box_of({from_a, box_b, {}}) == net);
}

TEST_CASE("draw: outer boxes are unfolded first, while there is room") {
  const Variable x = leaf({1, 2}), a = leaf({1, 1}), b = leaf({2, 2});
  const std::vector<NamedParameter> names{{"x", x}, {"net.a.w", a}, {"net.b.w", b}};
  const Variable y = sum(tanh(x * a) * b);
  const Drawing none = draw(y, {.names = names, .shown = 0});
  CHECK(none.nodes[find(none, "net")].folded);
  const Drawing all = draw(y, {.names = names});
  CHECK_FALSE(all.nodes[find(all, "net")].folded);
  CHECK(all.nodes[find(all, "a")].folded);  // a single operation: nothing to see inside
}

TEST_CASE("draw: SVG and HTML show names, not obey them") {
  const Variable x = leaf({1, 2});
  const Drawing drawing = draw(sum(x), {.names = {{"<b>&\"x", x}}});
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

TEST_CASE("draw: the page has a picture for each click: all equal parts, one of them, or the one that stands for all") {
  const Variable x = leaf(0.5);
  Variable y = x;
  for (int i = 0; i < 5; ++i) y = tanh(y * 2) + x;
  const Drawing drawing = draw(y, {.names = {{"x", x}}});
  const std::size_t box = find(drawing, "3 operations"), first = drawing.nodes[box].children[0];
  const std::string page = to_html(drawing);
  const auto picture = [&](const std::string& id) {
    const std::size_t at = page.find("id=\"" + id + "\"");
    REQUIRE(at != std::string::npos);
    const std::size_t begin = page.rfind("<section", at);
    return page.substr(begin, page.find("</section>", at) - begin);
  };
  const auto count = [](const std::string& text, const std::string& word) {
    int times = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++times;
    return times;
  };
  CHECK(count(picture("b0"), "<rect") == 4);  // x, the box with its title, and one of five
  CHECK(count(picture(fmt::format("b{}", box)), "href=\"#b") == 6);
  CHECK(count(picture(fmt::format("b{}", first)), ">tanh<") == 1);
  const std::string second = picture(fmt::format("b{}", drawing.nodes[box].children[1]));
  CHECK(count(second, ">tanh<") == 1);
  CHECK(count(second, "href=\"#b") == 6);
  CHECK(count(page, "<section class=\"first\">") == 1);
  const std::regex link("href=\"#([^\"]+)\"");
  for (std::sregex_iterator each(page.begin(), page.end(), link); each != std::sregex_iterator(); ++each)
    CHECK(count(page, "id=\"" + each->str(1) + "\"") == 1);
}

TEST_CASE("draw: values are mentioned where their lines would be very long") {
  const Variable x = leaf(0.5);
  const Variable first = exp(x);
  Variable y = first;
  std::uint64_t bits = 12345;  // no period
  for (int i = 0; i < 60; ++i) {
    bits = bits * 6364136223846793005U + 1442695040888963407U;
    y = bits >> 63 ? sin(y) : cos(y);
  }
  const Drawing drawing = draw(y * first * x, {.names = {{"x", x}}});
  CHECK(lay_out(drawing).mentions.size() == 2);
  CHECK_THAT(to_html(drawing), ContainsSubstring("class=\"mention\""));
}

TEST_CASE(
    "draw: where equal parts make two values each, lines begin at the right one of the part that stands for all") {
  const Variable x = leaf(0.5), w = leaf(0.7);
  Variable y = x;
  std::vector<Variable> between;
  for (int i = 0; i < 5; ++i) {
    between.push_back(tanh(y * w));
    y = between.back() + 1;
  }
  const Drawing drawing = draw(exp(sum(stack(between, 0)) * y));
  const std::size_t box = find(drawing, "3 operations"), first = drawing.nodes[box].children[0];
  REQUIRE(drawing.nodes[box].times == 5);
  int of_tanh = 0, of_sums = 0;
  for (const Picture::Path& path : lay_out(drawing).paths) {
    const std::string& name = drawing.nodes[path.from].name;
    if (drawing.box_of(drawing.lines[path.line]) != box || !drawing.is_inside(path.from, first)) continue;
    CHECK(name == drawing.nodes[drawing.lines[path.line].from].name);
    (name == "tanh" ? of_tanh : of_sums) += 1;
  }
  CHECK(of_tanh > 0);
  CHECK(of_sums > 0);
}

}  // namespace regard
