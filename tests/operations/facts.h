#pragma once

#include "tests/cases/case.h"

#include <optional>
#include <string>
#include <string_view>
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

// A case that means the same for larger inputs, and what becomes of them.
struct Enlarged {
  const char* id;
  std::vector<Shape> shapes = {};  // none: each input gets a thousand rows of a thousand
  std::int64_t places = 0;         // as many places do its indexes name; 0 if its whole numbers are no indexes
  DType mask = DType::i64;         // in which its whole numbers are given, so that f need not convert them
};
const std::vector<Enlarged>& enlarged();
std::vector<Shape> larger_shapes(const Enlarged& one);
std::vector<Variable> larger_inputs(const Enlarged& one);

// How many elements of the first float input are taken in a second, in f32, by a case whose inputs are enlarged to a
// million elements. Views take no time, and products another for each shape: they are left out.
struct Speed {
  const cases::Case* of;
  std::vector<Shape> shapes;
  double forward = 0;
  std::optional<double> both;  // forward and backward together; none without a gradient
};
std::vector<Speed> speeds();

const cases::Case& case_named(std::string_view id);

}  // namespace regard::operation_facts
