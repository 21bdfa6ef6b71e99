#pragma once

#include <string>

#include "examples/book/site/page.h"

namespace regard::site {

// A file of the project as a page: its lines have numbers, and anchors #L1, #L2 …
RenderedPage render_source(const std::string& file, const std::string& content);

}  // namespace regard::site
