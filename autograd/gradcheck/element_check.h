#pragma once

#include "autograd/gradcheck/analytic.h"

#include <optional>

namespace regard::gradchecks {

// What is smaller counts as 0: a gradient, by the rules and measured; or the gap between the slopes left and right.
inline constexpr double counts_as_0 = 1e-12;

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
