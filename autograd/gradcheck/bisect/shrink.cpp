#include "autograd/gradcheck/bisect/shrink.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/slopes.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>

namespace regard {
namespace {

using Tensors = std::vector<Tensor>;

std::string braces(const Tensor& x) {
  if (x.rank() == 0) {
    const double value = x.item();
    const bool is_negative_zero = value == 0 && std::signbit(value);  // "-0" would be an int, which has no sign
    return is_negative_zero ? "-0.0" : fmt::format("{}", value);      // the shortest digits that give this number again
  }
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < x.size(0); ++i) parts.push_back(braces(select(x, 0, i)));
  return "{" + join_words(parts, ", ") + "}";
}

// The same check, with the inputs in braces.
std::string check_of(const Tensors& inputs, const GradcheckOptions& options) {
  std::vector<std::string> values;
  for (const Tensor& x : inputs)
    values.push_back(fmt::format("{}({})", is_float(x.dtype()) ? "parameter" : "Variable", as_code(x)));
  return fmt::format("gradcheck(f, {{{}}}{})", join_words(values, ", "), options.order == 1 ? ", {.order = 1}" : "");
}

// At the same order, with numbers that are finite if they were, and of an element if it was.
bool fail_alike(const GradcheckReport& a, const GradcheckReport& b) {
  const auto is_finite = [](const GradcheckReport& r) { return std::isfinite(std::max(r.worst, r.worst_second)); };
  const auto is_of_an_element = [](const GradcheckReport& r) { return r.reason.starts_with("order"); };
  return a.verdict == b.verdict && a.order == b.order && is_finite(a) == is_finite(b) &&
         is_of_an_element(a) == is_of_an_element(b);
}

// Does a check still fail with these inputs? If so, go on with them.
using Accepts = std::function<bool(const Tensors& simpler)>;

// The indexes that are left of an axis: one half, the other, and all but one.
Tensors ways_to_cut(std::int64_t size) {
  const Tensor all = arange(size);
  Tensors ways{slice(all, 0, 0, size / 2), slice(all, 0, size / 2)};
  for (std::int64_t dropped = size; dropped-- > 0;)
    ways.push_back(cat({slice(all, 0, 0, dropped), slice(all, 0, dropped + 1)}, 0));
  return ways;
}

// These indexes are kept of all axes of a size; or of one of them.
std::vector<Tensors> cuts(const Tensors& inputs, std::int64_t size, const Tensor& kept) {
  std::vector<Tensors> list{inputs};
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (int axis = 0; axis < inputs[i].rank(); ++axis) {
      if (inputs[i].size(axis) != size) continue;
      list[0][i] = index_select(list[0][i], axis, kept);
      list.push_back(inputs);
      list.back()[i] = index_select(inputs[i], axis, kept);
    }
  return list;
}

bool makes_shapes_smaller(const Tensors& inputs, const Accepts& accepts) {
  std::set<std::int64_t, std::greater<>> sizes;
  for (const Tensor& x : inputs) sizes.insert(x.shape().begin(), x.shape().end());
  for (const std::int64_t size : sizes)
    for (const Tensor& kept : size > 1 ? ways_to_cut(size) : Tensors())
      if (std::ranges::any_of(cuts(inputs, size, kept), accepts)) return true;
  return false;
}

// An element becomes 0, 1, or a whole number, the first of these that fails.
void make_simpler(const Tensors& inputs, std::size_t i, std::int64_t element, const Accepts& accepts) {
  const double x = element_of(inputs[i], element);
  for (const double simpler : {0.0, 1.0, std::round(x)}) {
    Tensors changed = inputs;
    changed[i] = where(only(inputs[i], element, 1), simpler, inputs[i]);
    if (simpler == x || accepts(changed)) return;
  }
}

}  // namespace

Shrunk shrink(const gradchecks::Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  Tensors values;
  for (const Variable& x : inputs) values.push_back(x.value());
  int tried = 0;
  const auto check = [&](const Tensors& of) {
    ++tried;
    return gradcheck(f, gradchecks::leaves_of(of), options);
  };
  GradcheckReport report = check(values);
  if (report.verdict != gradchecks::Verdict::fail)
    fail<ValueError>(
        "shrink: the check of these inputs does not fail, its verdict is {}: give it inputs for which it does",
        name_of(report.verdict));
  const Accepts accepts = [&](const Tensors& simpler) {
    try {
      const GradcheckReport other = check(simpler);
      if (!fail_alike(other, report)) return false;
      values = simpler;
      report = other;
      return true;
    } catch (const Error&) {  // the shapes do not fit each other, or an index is outside
      return false;
    }
  };
  while (makes_shapes_smaller(Tensors(values), accepts)) {
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::int64_t element = 0; element < values[i].numel(); ++element)
      make_simpler(Tensors(values), i, element, accepts);
  return {gradchecks::leaves_of(values), report, check_of(values, options), tried};
}

std::string as_code(const Tensor& x) {
  if (x.numel() == 0) return fmt::format("zeros({{{}}}, DType::{})", comma_separated(x.shape()), name_of(x.dtype()));
  return fmt::format("tensor({}, DType::{})", braces(x), name_of(x.dtype()));
}

std::string to_string(const Shrunk& shrunk) {
  return fmt::format("{}\n  {}\n  {} inputs were checked on the way", shrunk.code, shrunk.report.reason, shrunk.tried);
}

}  // namespace regard
