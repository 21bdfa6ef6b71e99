#include "tests/museum/tools.h"

#include "tensor/compare.h"
#include "tensor/error.h"

namespace regard::museum {

Finding by_gradcheck(const gradchecks::Function& f, const std::vector<Variable>& inputs,
                     const GradcheckOptions& options) {
  const GradcheckReport report = gradcheck(f, inputs, options);
  return {!report.passed(), "gradcheck", to_string(report)};
}

Finding by_error(const std::string& tool, const std::function<void()>& run) {
  try {
    run();
  } catch (const Error& error) {
    return {true, tool, error.what()};
  }
  return {false, tool, "no error"};
}

Finding by_law(const std::string& law, bool holds, const std::string& seen) { return {!holds, "a law: " + law, seen}; }

Finding by_law(const std::string& law, const Tensor& result, const Tensor& expected, double tolerance) {
  if (result.shape() != expected.shape())
    return {true, "a law: " + law, fmt::format("shape {}, and {} is expected", result.shape(), expected.shape())};
  const double off = largest_difference(result, expected);
  return {!(off <= tolerance), "a law: " + law, fmt::format("largest difference {:.2g}", off)};
}

std::vector<double> losses(int steps, const std::function<double()>& step) {
  std::vector<double> list;
  for (int i = 0; i < steps; ++i) list.push_back(step());
  return list;
}

}  // namespace regard::museum
