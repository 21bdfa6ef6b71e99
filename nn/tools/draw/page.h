#pragma once

#include <string_view>

namespace regard {

// The files beside this one, which embed.cmake of nn/tools makes a source of.
extern const std::string_view drawing_page, drawing_style, drawing_page_style;

}  // namespace regard
