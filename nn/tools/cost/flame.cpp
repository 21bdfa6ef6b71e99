#include "nn/tools/cost/profile.h"
#include "nn/tools/explain/document.h"

#include <algorithm>
#include <map>

namespace regard {
namespace {

constexpr double width = 1000, row_height = 22, letter = 7;  // in pixels of the picture

// A box of the flame, and those that stand on it.
struct Box {
  double seconds = 0;
  std::map<std::string, Box> above;

  std::size_t height() const {
    std::size_t tallest = 0;
    for (const auto& [name, box] : above) tallest = std::max(tallest, box.height());
    return 1 + tallest;
  }
};

Box pile_of(const Profile& profile) {
  Box all;
  for (const auto& [path, seconds] : profile.parts) {
    Box* box = &all;
    box->seconds += seconds;
    for (const std::string& part : path) {
      box = &box->above[part];
      box->seconds += seconds;
    }
  }
  return all;
}

// A name that is too long for its box is cut, and left out where fewer than three letters would remain.
std::string fitting(const std::string& name, double pixels) {
  const auto letters = static_cast<std::size_t>(std::max(0.0, (pixels - 8) / letter));
  return letter_count(name) > letters && letters < 4 ? "" : cut_short(name, letters);
}

void draw(std::string& svg, const std::string& name, const Box& box, double left, std::size_t row, std::size_t rows,
          double seconds_of_all) {
  const double wide = width * box.seconds / seconds_of_all;
  if (wide < 0.5) return;  // too narrow to be seen
  const double top = static_cast<double>(rows - row - 1) * row_height;
  const std::string text = for_html(name);
  svg += fmt::format(
      "<g><title>{}: {:.3g} ms, {:.3g} %</title><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" "
      "class=\"{}\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text></g>\n",
      text, box.seconds * 1e3, 100 * box.seconds / seconds_of_all, left, top, wide, row_height - 1,
      box.above.empty() ? "operation" : "module", left + 4, top + 15, for_html(fitting(name, wide)));
  std::vector<const std::pair<const std::string, Box>*> widest_first;
  for (const auto& one : box.above) widest_first.push_back(&one);
  std::stable_sort(widest_first.begin(), widest_first.end(),
                   [](const auto* a, const auto* b) { return a->second.seconds > b->second.seconds; });
  for (const auto* one : widest_first) {
    draw(svg, one->first, one->second, left, row + 1, rows, seconds_of_all);
    left += width * one->second.seconds / seconds_of_all;
  }
}

}  // namespace

std::string flame_svg(const Profile& profile) {
  const Box all = pile_of(profile);
  if (all.seconds <= 0) fail<ValueError>("flame_svg: nothing was measured");
  const std::size_t rows = all.height();
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
      "font-family=\"system-ui, sans-serif\" font-size=\"12\">\n"
      "<style>.module {{ fill: #9ecae1; }} .operation {{ fill: #fdd49e; }} text {{ fill: #222; }}</style>\n",
      width, static_cast<double>(rows) * row_height);
  draw(svg, fmt::format("all: {:.3g} ms", all.seconds * 1e3), all, 0, 0, rows, all.seconds);
  return svg + "</svg>\n";
}

}  // namespace regard
