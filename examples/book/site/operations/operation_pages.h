#pragma once

#include <string>

#include "examples/book/site/contents.h"

namespace regard::site {

// A group of pages that are made, not written: one for each row of autograd/op_list.h, behind one with all rows. What
// was measured is read from a folder, where it is there.
void add_operation_pages(Contents& contents, const std::string& root, const std::string& measured);

}  // namespace regard::site
