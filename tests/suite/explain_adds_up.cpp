#include "nn/tools/explain/paths.h"
#include "tests/cases/case.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {
namespace {

// Σ c·f, with a c of its own for each element.
Variable loss_of(const cases::Case& row, const std::vector<Variable>& inputs) {
  const Variable result = row.f(inputs);
  Generator random(5);
  return sum(result * normal(result.shape(), random, 0, 1, DType::f64));
}

struct Sum {
  double value = 0, size = 0;  // of the terms, and of their sizes
  void add(double term) { value += term, size += std::abs(term); }
  bool is(double expected) const { return std::abs(value - expected) <= 1e-9 * (size + std::abs(expected) + 1e-6); }
};

// Between any two operations that follow each other: all edges that lead across contribute the gradient together.
std::string cut_that_does_not_add_up(const graph::Trace& steps, std::size_t place, std::int64_t element,
                                     double gradient) {
  const std::vector<Tensor> tangents = graph::tangents(steps, place, element);
  for (std::size_t cut = place; cut + 1 < steps.size(); ++cut) {
    Sum across;
    for (std::size_t i = cut + 1; i < steps.size(); ++i)
      for (std::size_t n = 0; n < steps[i].passed.size(); ++n)
        if (const std::size_t input = steps[i].inputs[n]; input <= cut && tangents[input].defined())
          across.add(sum(steps[i].passed[n].value() * tangents[input]).item());
    if (!across.is(gradient)) return fmt::format("{} after step {} of {}", across.value, cut, steps.size());
  }
  Sum of_paths;
  const graph::Paths paths = graph::largest_paths(steps, place, tangents, 500);
  if (!paths.compared_all || paths.count > 500) return "";
  if (paths.count != static_cast<double>(paths.largest.size())) return fmt::format("{} paths", paths.count);
  for (const graph::Path& path : paths.largest) of_paths.add(path.contribution);
  return of_paths.is(gradient) ? "" : fmt::format("{} over all paths", of_paths.value);
}

}  // namespace

TEST_CASE("explain: what operations contribute adds up to the gradient, at every cut, for every case of the table") {
  int cuts = 0;
  for (const cases::Case& row : cases::differentiable_cases()) {
    std::vector<Variable> inputs;
    for (const Variable& x : row.inputs) inputs.push_back(is_float(x.dtype()) ? parameter(x.value()) : x);
    const Variable loss = loss_of(row, inputs);
    graph::Trace steps = graph::trace("explain", loss);
    graph::pass_back(steps);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const std::size_t place = graph::index_in(steps, inputs[i]);
      if (!inputs[i].requires_grad() || place == steps.size()) continue;
      const std::vector<double> expected =
          to_vector(grad({loss}, {inputs[i]}, {.keep_graph = true, .allow_unused = true})[0].value());
      for (const std::size_t element : {std::size_t{0}, expected.size() / 2}) {
        INFO(row.id << ", input " << i << ", element " << element << ": " << expected[element]);
        CHECK(cut_that_does_not_add_up(steps, place, static_cast<std::int64_t>(element), expected[element]) == "");
        ++cuts;
      }
    }
  }
  CHECK(cuts > 600);
}

}  // namespace regard
