#pragma once

#include "nn/tools/draw/picture.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

// The files beside this one, which embed.cmake of nn/tools makes a source of.
extern const std::string_view drawing_page, drawing_style, drawing_page_style;

// How a line is drawn: the more gradient passes, the wider.
struct LineLook {
  double width;
  std::string look;  // "plain"; "none": no gradient passes; "broken": it is NaN or infinite
  std::string told;
};

// From a 10,000th of the largest gradient of all, or less, to the largest: from 1 to 5 points, in steps of factors.
std::vector<LineLook> looks_of(const Drawing& drawing);

// What is in sight, for a page, which brings the style: `link_of` returns the attributes of the link that a node in
// sight is, if it is one.
using LinkOf = std::function<std::string(std::size_t node)>;
std::string svg_of(const Drawing& drawing, const Picture& picture, const std::vector<LineLook>& looks,
                   const std::string& style, const LinkOf& link_of);

}  // namespace regard
