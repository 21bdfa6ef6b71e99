#pragma once

#include "autograd/variable.h"

#include <string>
#include <vector>

namespace regard {

// book: check
// Is a gradient right? The analytic one, from the rules, is compared with the numeric one: the slope of the function
// between two points close to the input.
//
//   L(x) = Σ c·f(x)               c: random numbers in ±[½, 1½], one for each output. (With c = 1 many errors cancel:
//                                 softmax sums to 1 whatever its input, so a gradient of nothing but zeros would pass.)
//   ∂L/∂xᵢ ≈ (L(x + h·eᵢ) − L(x − h·eᵢ)) / 2h     eᵢ: 1 at i, and 0 elsewhere. h = eps·max(1, |xᵢ|), in f64; refined
//                                                 with the slope over h/2
//
// for every element of every input; then the same for the gradient itself as a function of (inputs, c): second order.
// book: /check
// c is called the cotangent. plain.h is the same in its simplest form. Where the analytic and the numeric gradient
// disagree the slope is measured again: over wider steps, with its noise, and over narrower ones (element_check.cpp).

namespace gradchecks {

using Function = std::function<Variable(const std::vector<Variable>& inputs)>;

enum class Verdict {
  pass,
  fail,     // the worst element and both numbers are in the report
  vacuous,  // the gradient of some input is 0, or drowned in noise: nothing was tested
  kink,     // the slopes to the left and to the right differ: move the input
  float32,  // refused: f32 has too few digits to tell a wrong gradient from rounding
};
std::string_view name_of(Verdict verdict);  // "PASS", …

enum class Layout {
  contiguous,
  strided,  // every input is a view of every second element of a larger buffer, with NaN in between
};

// One element of one input.
struct CheckedElement {
  int order = 1;
  std::size_t input = 0;
  std::int64_t index = 0;  // in row-major order; at order 2 the inputs are followed by the cotangent
  double analytic = 0, numeric = 0;
  double noise = 0;  // what rounding in the function may have done to the numeric value
  // |analytic − numeric| / max(|analytic|, |numeric|), but differences as small as the noise are within the tolerance.
  double error = 0;
};

}  // namespace gradchecks

struct GradcheckOptions {
  int order = 2;            // 1: gradients; 2: gradients of gradients as well
  double eps = 6e-6;        // about ∛(2⁻⁵²), where cutting off the series and rounding cost the same
  double tolerance = 1e-6;  // on the relative error of an element
  std::uint64_t seed = 0;   // of the cotangent c
  gradchecks::Layout layout = gradchecks::Layout::contiguous;
  bool keep_elements = false;    // fill GradcheckReport::elements
  bool stop_at_failure = false;  // the first wrong element settles the verdict: no other is looked at
  // The first `required` inputs must have a gradient that can be told from 0; −1: all. Some parameters of a module have
  // none by nature, such as a number that is added to all scores of a softmax.
  int required = -1;
  std::vector<std::string> names = {};  // of the inputs, for the report; by default "input 0" and so on
};

struct GradcheckReport {
  gradchecks::Verdict verdict = gradchecks::Verdict::pass;
  int order = 2;                             // how far it went
  std::string reason;                        // a sentence, unless the verdict is pass
  std::vector<Shape> shapes;                 // of the inputs
  bool named = false;                        // the inputs have names: the report counts them, and prints no shapes
  std::int64_t element_count = 0;            // compared at first order
  double worst = 0;                          // largest relative error at first order
  double worst_second = 0;                   // at second order
  gradchecks::CheckedElement worst_element;  // where the larger of the two is
  std::vector<gradchecks::CheckedElement> elements;

  bool passed() const { return verdict == gradchecks::Verdict::pass; }
};

// i64 inputs are passed on and not checked.
GradcheckReport gradcheck(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                          const GradcheckOptions& options = {});

// The check of the checker. Each f64 input in turn is given a gradient that is wrong by a factor (0 or 1.01), first at
// first order and then, if options.order is 2, only at second order. Returns the faults that were not noticed.
std::vector<std::string> power_check(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                                     const GradcheckOptions& options = {});

std::string to_string(const GradcheckReport& report);

}  // namespace regard

template <>
struct fmt::formatter<regard::GradcheckReport> : regard::TextFormatter<regard::GradcheckReport> {};
