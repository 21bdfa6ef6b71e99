#pragma once

#include "nn/tools/parameter_names.h"

namespace regard {

struct ExplainOptions {
  std::vector<NamedParameter> names = {};  // by which inputs and parameters are called
  std::size_t paths = 3;                   // how many of the largest are told
  // Computes the loss once more: then its slope is measured as well, with x a little larger and smaller. x is a leaf,
  // and has its old value afterwards.
  std::function<Variable()> again = {};
};

// One number on a path, and how the gradient passes it: arrives · slope goes on to the next one.
struct ExplainedStep {
  std::string operation;  // "multiply (2, 3)"
  std::string formula;    // "a · b"
  std::string numbers;    // "0.5 · 2 = 1" for this element; empty where an element is made of many
  std::string element;    // "[1, 2]"
  double value = 0, arrives = 0;
  std::string input, input_element;  // where it goes on to
  double slope = 0;                  // ∂value/∂(that element)
  double contribution = 0;           // of all paths through this operation
};

// A path, told by one element at each operation, from the loss on: the one through which most of it passes.
struct ExplainedPath {
  double contribution = 0, carried = 0;  // of the whole path; of these elements
  std::vector<ExplainedStep> steps;
};

struct ExplainedUse {
  std::string operation;
  double contribution = 0;  // of all paths that go this way
};

// Where one derivative comes from.
struct Explanation {
  std::string variable;            // and the element
  double gradient = 0;             // ∂loss/∂variable
  std::optional<double> measured;  // the slope over a small step, if options.again was given
  bool disagrees = false;          // the two differ by more than 1 % and what rounding, a bend or a kink may do
  std::vector<ExplainedUse> uses;  // where the paths part first; they add up to the gradient
  std::string parts_at;            // where that is
  double path_count = 0;
  bool compared_all = false;         // else the paths are large ones; a larger one may have been missed
  std::vector<ExplainedPath> paths;  // by size
};

// The derivative of the loss, a single number, with respect to one element of x (counted row by row), told along the
// paths of the recorded graph. The graph stays as it is. Hooks are not run: what they would change is not told.
Explanation explain(const Variable& loss, const Variable& x, std::int64_t element = 0,
                    const ExplainOptions& options = {});

std::string to_text(const Explanation& explanation);
std::string to_html(const Explanation& explanation);  // a page that stands alone

}  // namespace regard
