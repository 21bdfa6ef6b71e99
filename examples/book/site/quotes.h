#pragma once

#include <string>

namespace regard::site {

// The line that follows the comment "// book: NAME" in a file of the project; 0 if there is no such comment.
int line_of_region(const std::string& root, const std::string& file, const std::string& name);

}  // namespace regard::site
