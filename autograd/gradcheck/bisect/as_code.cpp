#include "autograd/gradcheck/bisect/shrink.h"

#include "tensor/view.h"

#include <cmath>
#include <utility>

namespace regard {
namespace {

// The shortest digits that give this number again. The sign of −0 would be lost if it were written as a whole number.
std::string literal(double x) {
  if (std::isnan(x)) return "NAN";
  if (std::isinf(x)) return x < 0 ? "-INFINITY" : "INFINITY";
  return x == 0 && std::signbit(x) ? "-0.0" : fmt::format("{}", x);
}

std::string braces(const Tensor& x) {
  if (x.rank() == 0) return literal(x.item());
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < x.size(0); ++i) parts.push_back(braces(select(x, 0, i)));
  return "{" + join_words(parts, ", ") + "}";
}

}  // namespace

std::string as_code(const Tensor& x) {
  if (x.numel() == 0) return fmt::format("zeros({{{}}}, DType::{})", comma_separated(x.shape()), name_of(x.dtype()));
  return fmt::format("tensor({}, DType::{})", braces(x), name_of(x.dtype()));
}

std::string as_code(const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  std::vector<std::string> values, changed;
  for (const Variable& x : inputs)
    values.push_back(fmt::format("{}({})", is_float(x.dtype()) ? "parameter" : "Variable", as_code(x.value())));
  const GradcheckOptions usual;
  if (options.order != usual.order) changed.push_back(fmt::format(".order = {}", options.order));
  if (options.eps != usual.eps) changed.push_back(fmt::format(".eps = {}", options.eps));
  if (options.tolerance != usual.tolerance) changed.push_back(fmt::format(".tolerance = {}", options.tolerance));
  if (options.seed != usual.seed) changed.push_back(fmt::format(".seed = {}", options.seed));
  if (options.layout == gradchecks::Layout::strided) changed.push_back(".layout = gradchecks::Layout::strided");
  if (options.required != usual.required) changed.push_back(fmt::format(".required = {}", options.required));
  return fmt::format("gradcheck(f, {{{}}}{})", join_words(values, ", "),
                     changed.empty() ? "" : ", {" + join_words(changed, ", ") + "}");
}

}  // namespace regard
