#pragma once

#include "examples/plot/image.h"

#include <string>

namespace regard::book {

// How much of one picture differs visibly from another, 0 … 1. Another compiler may round a number differently, so
// that a line has another grey, or a place another last digit.
double difference(const plot::Image& a, const plot::Image& b);         // a share of the pixels
double difference_of_svg(const std::string& a, const std::string& b);  // a share of the elements

}  // namespace regard::book
