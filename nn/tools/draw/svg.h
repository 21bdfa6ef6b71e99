#pragma once

#include <string_view>

namespace regard {

// The files beside this one, which embed.cmake of nn/tools makes a source of.
extern const std::string_view drawing_page, drawing_style, drawing_page_style;

// Of a line, along which this gradient comes back: the more, the wider. From a 10,000th of the largest of all, or less,
// to the largest: from 1 to 5 points, in steps of factors.
double line_width(double gradient, double largest);

}  // namespace regard
