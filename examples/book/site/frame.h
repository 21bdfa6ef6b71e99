#pragma once

#include <string>

#include "examples/book/site/contents.h"
#include "examples/book/site/page.h"

namespace regard::site {

// A whole HTML file: the page with the contents beside it, the search above it, and its neighbours below it. `out` is
// where it will stand in the site.
std::string framed(const std::string& out, const RenderedPage& page, const Contents& contents);

}  // namespace regard::site
