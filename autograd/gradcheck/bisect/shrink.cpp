#include "autograd/gradcheck/bisect/shrink.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/slopes.h"
#include "tensor/all.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

namespace regard {
namespace {

using Tensors = std::vector<Tensor>;

std::string braces(const Tensor& x) {
  if (x.rank() == 0) {
    const std::string digits = fmt::format("{}", x.item());  // the shortest that give this number again
    return digits == "-0" ? "-0.0" : digits;                 // "-0" would be an int, which has no sign
  }
  std::vector<std::string> parts;
  for (std::int64_t i = 0; i < x.size(0); ++i) parts.push_back(braces(select(x, 0, i)));
  return "{" + join_words(parts, ", ") + "}";
}

// How a check fails: its order, whether of an element, and whether with finite numbers.
auto way_of(const GradcheckReport& r) {
  const bool is_finite = std::isfinite(std::max(r.worst, r.worst_second));
  return std::tuple(r.verdict, r.order, r.reason.starts_with("order"), is_finite);
}

// The indexes that are left of an axis: one half, the other, and all but one.
Tensors ways_to_cut(std::int64_t size) {
  const Tensor all = arange(size);
  Tensors ways{slice(all, 0, 0, size / 2), slice(all, 0, size / 2)};
  for (std::int64_t dropped = size; dropped-- > 0;)
    ways.push_back(cat({slice(all, 0, 0, dropped), slice(all, 0, dropped + 1)}, 0));
  return ways;
}

// All axes of one size are cut at once, or one of them alone; the longest first.
bool makes_shapes_smaller(const Tensors& inputs, const std::function<bool(const Tensors& simpler)>& accepts) {
  std::map<std::int64_t, std::vector<std::pair<std::size_t, int>>, std::greater<>> axes_of;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    for (int axis = 0; axis < inputs[i].rank(); ++axis)
      if (inputs[i].size(axis) > 1) axes_of[inputs[i].size(axis)].emplace_back(i, axis);
  for (const auto& [size, axes] : axes_of)
    for (const Tensor& kept : ways_to_cut(size))
      for (std::size_t alone = 0; alone <= axes.size(); ++alone) {  // 0: all
        Tensors simpler = inputs;
        for (std::size_t n = 1; n <= axes.size(); ++n) {
          const auto [i, axis] = axes[n - 1];
          if (alone == 0 || alone == n) simpler[i] = index_select(simpler[i], axis, kept);
        }
        if (accepts(simpler)) return true;
      }
  return false;
}

}  // namespace

Shrunk shrink(const gradchecks::Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  Shrunk now{inputs, gradcheck(f, inputs, options), {}, 1};
  if (now.report.verdict != gradchecks::Verdict::fail)
    fail<ValueError>("shrink: this check does not fail, its verdict is {}: give it inputs for which it does",
                     name_of(now.report.verdict));
  Tensors values;
  for (const Variable& x : inputs) values.push_back(x.value());
  const auto accepts = [&](const Tensors& simpler) {  // if the check still fails, these are kept
    ++now.tried;
    try {
      const GradcheckReport report = gradcheck(f, gradchecks::leaves_of(simpler), options);
      if (way_of(report) != way_of(now.report)) return false;
      values = simpler;
      now.report = report;
      return true;
    } catch (const Error&) {  // the shapes do not fit each other, or an index is outside
      return false;
    }
  };
  while (makes_shapes_smaller(Tensors(values), accepts)) {
  }
  for (std::size_t i = 0; i < values.size(); ++i)
    for (std::int64_t element = 0; element < values[i].numel(); ++element) {
      const double x = element_of(values[i], element);
      for (const double simpler : {0.0, 1.0, std::round(x)}) {  // the first of these that fails
        Tensors changed = values;
        changed[i] = where(only(values[i], element, 1), simpler, values[i]);
        if (simpler == x || accepts(changed)) break;
      }
    }
  now.inputs = gradchecks::leaves_of(values);

  std::vector<std::string> list;
  for (const Tensor& x : values)
    list.push_back(fmt::format("{}({})", is_float(x.dtype()) ? "parameter" : "Variable", as_code(x)));
  now.code = fmt::format("gradcheck(f, {{{}}}{})", join_words(list, ", "), options.order == 1 ? ", {.order = 1}" : "");
  return now;
}

std::string as_code(const Tensor& x) {
  if (x.numel() == 0) return fmt::format("zeros({{{}}}, DType::{})", comma_separated(x.shape()), name_of(x.dtype()));
  return fmt::format("tensor({}, DType::{})", braces(x), name_of(x.dtype()));
}

std::string to_string(const Shrunk& shrunk) {
  return fmt::format("{}\n  {}\n  {} inputs were checked on the way", shrunk.code, shrunk.report.reason, shrunk.tried);
}

}  // namespace regard
