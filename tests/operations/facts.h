#pragma once

#include "tests/cases/case.h"

#include <optional>
#include <string>
#include <vector>

// What the pages of operations show, measured by the cases of the gradient checks.
namespace regard::operation_facts {

// A function of one number and its slope, from the rule, at many places.
struct Curve {
  const cases::Case* of;
  std::vector<double> x, y, slope;
};
std::vector<Curve> curves();

// ∂yᵢ/∂xⱼ of a case with one small input: a row for each output, in the order of memory. Those that say nothing, of
// operations that move no element, are left out.
struct Influence {
  const cases::Case* of;
  std::vector<std::vector<double>> rows;
};
std::vector<Influence> influences();

// How many elements of the first float input are taken in a second, in f32, by a case whose inputs are enlarged to a
// million elements. Views take no time, and products another for each shape: they are left out.
struct Speed {
  const cases::Case* of;
  std::vector<Shape> shapes;
  double forward = 0;
  std::optional<double> both;  // forward and backward together; none without a gradient
};
std::vector<Speed> speeds();

const cases::Case& case_named(const std::string& id);

}  // namespace regard::operation_facts
