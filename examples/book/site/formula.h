#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace regard::site {

// What a formula says that is not understood. Nothing is ever shown as raw TeX.
class FormulaError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A formula in the part of TeX that the book uses, as MathML: an element <math>, or several if it is long and stands in
// a line of text.
std::string mathml(std::string_view tex, bool display);

// The parts of a displayed formula between \qquad, so that they can go on several lines where one is too narrow.
std::vector<std::string> parts_of_display(std::string_view tex);

}  // namespace regard::site
