#include "examples/book/compare.h"

#include "examples/plot/canvas.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>
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

// An element of a picture, which is a line of its file, taken apart.
struct Element {
  std::string rest;                // with # for each number
  std::vector<double> attributes;  // numbers in the tag
  std::vector<double> words;       // and behind it, in what can be read
  std::vector<plot::Point> line;   // the places of points="…"
};

Element taken_apart(const std::string& text) {
  Element element;
  const std::size_t points = text.find("points=\""), end_of_points = text.find('"', points + 8);
  const std::size_t end_of_tag = text.find('>');
  std::vector<double> places;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t digit = text[at] == '-' ? at + 1 : at;
    if (digit == text.size() || !std::isdigit(static_cast<unsigned char>(text[digit]))) {
      element.rest += text[at++];
      continue;
    }
    char* end = nullptr;
    const double number = std::strtod(&text[at], &end);
    const bool is_place = points != std::string::npos && at > points && at < end_of_points;
    (is_place ? places : at < end_of_tag ? element.attributes : element.words).push_back(number);
    at = static_cast<std::size_t>(end - text.data());
    if (!is_place) element.rest += '#';
  }
  for (std::size_t i = 0; i + 1 < places.size(); i += 2) element.line.push_back({places[i], places[i + 1]});
  return element;
}

bool near(const std::vector<double>& a, const std::vector<double>& b, double absolute, double relative) {
  return std::ranges::equal(a, b,
                            [=](double x, double y) { return std::abs(x - y) <= absolute + relative * std::abs(x); });
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
  return a.rest == b.rest && near(a.attributes, b.attributes, same_place, 0) && near(a.words, b.words, 0, 0.02) &&
         lies_on(a.line, b.line) && lies_on(b.line, a.line);
}

std::vector<std::string> elements(const std::string& svg) {
  std::istringstream stream(svg);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
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
