#pragma once

#include <string_view>

namespace regard {

// The files beside this one, which embed.cmake of nn/tools makes a source of.
extern const std::string_view drawing_page, drawing_style, drawing_page_style;

// The width of a line along which this gradient comes back: 5 points for the largest of all, one less for each factor
// of 10 below it, but at least 1; and 4 if it is not finite.
double line_width(double gradient, double largest);

}  // namespace regard
