#pragma once

#include <map>
#include <string>

#include "examples/book/site/operations/measured.h"
#include "examples/book/site/operations/sources.h"

namespace regard::site {

// The parts of the table of operations, as comments in autograd/op_list.h name them: "pointwise" for exp, and so on.
std::map<std::string, std::string> parts_of_op_list(const SourceFile& op_list);

// The page with the table of all operations, as Markdown. It stands in the folder examples/book/.
std::string overview_page(const SourceFile& op_list, const Measured& measured);

}  // namespace regard::site
