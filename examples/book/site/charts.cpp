#include "examples/book/site/charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "examples/book/site/text.h"

namespace regard::site {

namespace {

constexpr std::string_view begins = "<svg ";

void leave_out(std::string& text, std::string_view part) {
  if (const std::size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
}

bool has_letters(std::string_view text) {
  return std::ranges::any_of(text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); });
}

}  // namespace

bool is_svg(std::string_view content) { return content.starts_with(begins); }

bool may_stand_in_a_page(std::string_view svg) {
  return svg.find("<style") == std::string_view::npos && svg.find(" id=") == std::string_view::npos;
}

// Its title would be a second label, and cover the chart where the mouse rests.
std::string in_a_page(const std::string& svg, const std::string& label) {
  const std::size_t end = svg.find('>');
  std::string tag = svg.substr(begins.size(), end - begins.size()), inside = svg.substr(end);
  for (const std::string_view part : {R"(xmlns="http://www.w3.org/2000/svg" )", R"( role="img")"}) leave_out(tag, part);
  if (inside.starts_with(">\n<title>")) {
    constexpr std::string_view behind = "</title>";
    inside.replace(1, inside.find(behind) + behind.size() - 1, "");
  }
  return fmt::format(R"({}role="img" aria-label="{}" {}{})", begins, escaped(label), tag, trimmed(inside));
}

std::string words_in(std::string_view svg) {
  std::string words;
  for (std::size_t at = 0; (at = svg.find("<text", at)) != std::string_view::npos;) {
    const std::size_t end = svg.find("</text>", at);
    const std::string piece = without_tags(svg.substr(at, end - at));
    if (has_letters(piece)) words += piece + " ";
    at = end;
  }
  return words;
}

}  // namespace regard::site
