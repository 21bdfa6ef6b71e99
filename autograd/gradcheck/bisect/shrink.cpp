#include "autograd/gradcheck/bisect/shrink.h"

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

// The indexes that are left of an axis, or of each block of it: one half, the other, and all but one.
Tensors ways_to_cut(std::int64_t size) {
  const Tensor all = arange(size);
  Tensors ways{slice(all, 0, 0, size / 2), slice(all, 0, size / 2)};
  for (std::int64_t dropped = size; dropped-- > 0;)
    ways.push_back(cat({slice(all, 0, 0, dropped), slice(all, 0, dropped + 1)}, 0));
  return ways;
}

// Of an axis that consists of blocks of `block` elements, each is cut in the same way.
Tensor cut(const Tensor& x, int axis, std::int64_t block, const Tensor& kept) {
  const Tensor begins = arange(x.size(axis) / block) * static_cast<double>(block);
  return index_select(x, axis, flatten(unsqueeze(begins, 1) + kept));
}

// What may replace x: 0, 1, a whole number, one digit after the point, two.
constexpr int form_count = 5;
double simpler(double x, int form) {
  if (form < 2) return form;
  const double scale = std::pow(10, form - 2);
  return std::round(x * scale) / scale;
}

// 0 for the simplest numbers: the first of these forms that it has.
int complexity(double x) {
  int form = 0;
  while (form < form_count && x != simpler(x, form)) ++form;
  return form;
}
int complexity(const std::vector<double>& values) {
  int sum = 0;
  for (const double value : values) sum += complexity(value);
  return sum;
}

class ShrinkSearch {
 public:
  ShrinkSearch(const gradchecks::Function& f, Tensors inputs, const GradcheckOptions& options)
      : f_(f), options_(options), inputs_(std::move(inputs)), report_(check(inputs_)) {
    if (report_.verdict != gradchecks::Verdict::fail)
      fail<ValueError>(
          "shrink: the check of these inputs does not fail, its verdict is {}: give it inputs for which it "
          "does",
          name_of(report_.verdict));
  }

  Shrunk run() {
    while (makes_shapes_smaller()) {
    }
    while (makes_values_simpler()) {
    }
    const std::vector<Variable> leaves = gradchecks::leaves_of(inputs_);
    return {leaves, report_, as_code(leaves, options_), tried_};
  }

 private:
  GradcheckReport check(const Tensors& inputs) {
    ++tried_;
    return gradcheck(f_, gradchecks::leaves_of(inputs), options_);
  }

  bool is_same_failure(const GradcheckReport& other) const {
    const auto is_finite = [](const GradcheckReport& r) { return std::isfinite(std::max(r.worst, r.worst_second)); };
    const auto is_of_an_element = [](const GradcheckReport& r) { return r.reason.starts_with("order"); };
    return other.verdict == report_.verdict && other.order == report_.order && is_finite(other) == is_finite(report_) &&
           is_of_an_element(other) == is_of_an_element(report_);
  }

  // Goes on with these inputs if they fail, too.
  bool accepts(const Tensors& inputs) {
    try {
      GradcheckReport report = check(inputs);
      if (!is_same_failure(report)) return false;
      inputs_ = inputs;
      report_ = std::move(report);
      return true;
    } catch (const Error&) {  // the shapes do not fit each other, or an index is outside
      return false;
    }
  }

  bool makes_shapes_smaller() {
    std::set<std::int64_t, std::greater<>> sizes;
    for (const Tensor& x : inputs_)
      for (const std::int64_t size : x.shape())
        if (size > 1) sizes.insert(size);
    return std::ranges::any_of(sizes, [&](std::int64_t size) { return cuts_axes_of(size); });
  }

  bool cuts_axes_of(std::int64_t size) {
    for (const Tensor& kept : ways_to_cut(size)) {
      const auto cuts = [&](const std::function<bool(std::size_t input, int axis)>& is_cut) {
        Tensors smaller = inputs_;
        for (std::size_t i = 0; i < smaller.size(); ++i)
          for (int axis = 0; axis < smaller[i].rank(); ++axis)
            if (is_cut(i, axis)) smaller[i] = cut(smaller[i], axis, size, kept);
        return accepts(smaller);
      };
      const auto has_size = [&](std::size_t i, int axis) { return inputs_[i].size(axis) == size; };
      if (cuts(has_size)) return true;
      if (cuts([&](std::size_t i, int axis) { return inputs_[i].size(axis) > 0 && inputs_[i].size(axis) % size == 0; }))
        return true;
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (int axis = 0; axis < inputs_[i].rank(); ++axis)
          if (has_size(i, axis) && cuts([&](std::size_t input, int of_it) { return input == i && of_it == axis; }))
            return true;
    }
    return false;
  }

  bool makes_values_simpler() {
    bool changes = false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      const auto count = static_cast<std::size_t>(inputs_[i].numel());
      changes |= simplifies(i, 0, count);
      for (std::size_t n = 0; n < count; ++n) changes |= simplifies(i, n, n + 1);
    }
    return changes;
  }

  // Puts all elements from begin to end into one of the forms.
  bool simplifies(std::size_t input, std::size_t begin, std::size_t end) {
    const std::vector<double> before = to_vector(inputs_[input]);
    for (int form = 0; form < form_count; ++form) {
      std::vector<double> values = before;
      for (std::size_t n = begin; n < end; ++n) values[n] = simpler(values[n], form);
      Tensors changed = inputs_;
      changed[input] = tensor(values, inputs_[input].shape(), inputs_[input].dtype());
      if (complexity(values) < complexity(before) && accepts(changed)) return true;
    }
    return false;
  }

  const gradchecks::Function& f_;
  GradcheckOptions options_;
  int tried_ = 0;
  Tensors inputs_;
  GradcheckReport report_;
};

}  // namespace

Shrunk shrink(const gradchecks::Function& f, const std::vector<Variable>& inputs, const GradcheckOptions& options) {
  Tensors values;
  for (const Variable& x : inputs) values.push_back(x.value());
  return ShrinkSearch(f, values, options).run();
}

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

std::string to_string(const Shrunk& shrunk) {
  return fmt::format("{}\n  {}\n  {} inputs were checked on the way", shrunk.code, shrunk.report.reason, shrunk.tried);
}

}  // namespace regard
