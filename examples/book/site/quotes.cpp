#include "examples/book/site/quotes.h"

#include <fstream>
#include <string>

#include "examples/book/site/text.h"

namespace regard::site {

int line_of_region(const std::string& root, const std::string& file, const std::string& name) {
  std::ifstream source(root + "/" + file);
  int number = 0;
  for (std::string line; std::getline(source, line);) {
    ++number;
    if (trimmed(line) == "// book: " + name) return number + 1;
  }
  return 0;
}

}  // namespace regard::site
