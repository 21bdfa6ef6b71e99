#pragma once

#include <string_view>

namespace regard::nn {

// The files of the page beside this one, which embed.cmake of nn/tools/explain makes a source of.
extern const std::string_view page_html, page_style, page_script;

}  // namespace regard::nn
