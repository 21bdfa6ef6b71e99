#pragma once

#include <cstddef>
#include <string>

#include "examples/book/site/contents.h"
#include "examples/book/site/text.h"

namespace regard::site {

struct Counts {
  std::size_t pages = 0, sources = 0, formulas = 0;
};

// Writes the site of a book, with all files of the project that it links to, into a folder. Nothing is written if
// there are problems.
Counts write_site(const std::string& root, const Contents& contents, const std::string& out, Problems& problems);

}  // namespace regard::site
