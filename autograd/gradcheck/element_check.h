#pragma once

#include "autograd/gradcheck/analytic.h"

#include <optional>

namespace regard::gradchecks {

// A gradient below this, or below its rounding, on both sides counts as none; a gap between left and right, too.
inline constexpr double nothing = 1e-12;

double size_of(const CheckedElement& element);  // the larger of both numbers

struct Kink {
  double left, right;  // the slopes beside it
};

struct Compared {
  CheckedElement element;
  std::optional<Kink> kink;
};

// The gradient of one element, by the rules, against its slope. The noise of the rules, which takes long, is asked for
// only where nothing else explains a difference.
Compared compare(CheckedElement element, ByRules& by_rules, const SlopeMeter& meter, double tolerance);

}  // namespace regard::gradchecks
