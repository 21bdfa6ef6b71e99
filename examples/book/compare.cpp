#include "examples/book/compare.h"

#include "examples/plot/canvas.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

namespace regard::book {

double difference(const plot::Image& a, const plot::Image& b) {
  if (a.width != b.width || a.height != b.height) return 1;
  const int visible = 40;  // of 255
  int different = 0;
  for (int y = 0; y < a.height; ++y)
    for (int x = 0; x < a.width; ++x) {
      const auto first = a.rgb(x, y), second = b.rgb(x, y);
      for (int i = 0; i < 3; ++i)
        if (std::abs(first[i] - second[i]) > visible) {
          ++different;
          break;
        }
    }
  return static_cast<double>(different) / (a.width * a.height);
}

namespace {

constexpr double same_place = 0.5;  // in points: nearer places look the same

// A number of a picture, and how far another may be from it.
struct Number {
  double value, allowed;
};

// An element of a picture, `<…>` and the words behind it, taken apart.
struct Element {
  std::string rest;               // with # for each of the numbers
  std::vector<Number> numbers;    // places and sizes in the tag, and what can be read behind it
  std::vector<plot::Point> line;  // the places of points="…"
};

// Of numbers in a tag only places and sizes may be rounded otherwise: colours and widths are as they are.
std::optional<double> allowed_in(std::string_view attribute) {
  static const std::set<std::string_view> places{"x",  "y",  "x1",    "y1",     "x2", "y2",
                                                 "cx", "cy", "width", "height", "d",  "points"};
  if (places.contains(attribute)) return same_place;
  if (attribute == "r") return 0.3;
  return std::nullopt;
}

// 0.01 for "0.25". A whole number is as it is.
double step_of_last_digit(std::string_view number) {
  const std::size_t point = number.find('.');
  return point == std::string_view::npos ? 0 : std::pow(10.0, -static_cast<double>(number.size() - point - 1));
}

Element taken_apart(const std::string& text) {
  Element element;
  const std::size_t end_of_tag = text.find('>');
  std::string attribute;
  std::vector<double> places;
  for (std::size_t at = 0; at < text.size();) {
    const bool in_tag = at < end_of_tag;
    if (in_tag && text[at] == '=') attribute = text.substr(text.rfind(' ', at) + 1, at - text.rfind(' ', at) - 1);
    const std::optional<double> allowed = in_tag ? allowed_in(attribute) : 0.0;
    const std::size_t digit = text[at] == '-' ? at + 1 : at;
    if (!allowed || digit == text.size() || !std::isdigit(static_cast<unsigned char>(text[digit]))) {
      element.rest += text[at++];
      continue;
    }
    char* end = nullptr;
    const double number = std::strtod(&text[at], &end);
    const auto after = static_cast<std::size_t>(end - text.data());
    if (in_tag && attribute == "points") {
      places.push_back(number);
    } else {
      const double step = step_of_last_digit(std::string_view(text).substr(at, after - at));
      element.numbers.push_back({number, in_tag ? *allowed : step});
      element.rest += '#';
    }
    at = after;
  }
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) element.line.push_back({places[i], places[i + 1]});
  return element;
}

bool near(const std::vector<Number>& a, const std::vector<Number>& b) {
  return std::ranges::equal(
      a, b, [](const Number& x, const Number& y) { return std::abs(x.value - y.value) <= 1.001 * x.allowed; });
}

bool begin_alike(const std::vector<plot::Point>& a, const std::vector<plot::Point>& b) {
  if (a.empty() || b.empty()) return a.empty() && b.empty();
  return plot::distance_to_segment(a[0], b[0], b[0]) <= same_place;
}

// Of a line other points may have been left out: each corner must lie on the other line.
bool lies_on(const std::vector<plot::Point>& line, const std::vector<plot::Point>& other) {
  return std::ranges::all_of(line, [&](const plot::Point& p) {
    for (std::size_t i = 0; i < other.size(); ++i)
      if (plot::distance_to_segment(p, other[i], other[std::min(i + 1, other.size() - 1)]) <= same_place) return true;
    return false;
  });
}

bool looks_like(const std::string& text, const std::string& other) {
  const Element a = taken_apart(text), b = taken_apart(other);
  return a.rest == b.rest && near(a.numbers, b.numbers) && begin_alike(a.line, b.line) && lies_on(a.line, b.line) &&
         lies_on(b.line, a.line);
}

std::vector<std::string> elements(const std::string& svg) {
  std::istringstream stream(svg);
  std::vector<std::string> list;
  for (std::string element; std::getline(stream, element, '<');) list.push_back(element);
  return list;
}

}  // namespace

double difference_of_svg(const std::string& a, const std::string& b) {
  const std::vector<std::string> first = elements(a), second = elements(b);
  if (first.size() != second.size()) return 1;
  double different = 0;
  for (std::size_t i = 0; i < first.size(); ++i) different += !looks_like(first[i], second[i]);
  return different / std::max<double>(1, static_cast<double>(first.size()));
}

}  // namespace regard::book
