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

// The indexes that are left of an axis: one half, the other, and all but one.
Tensors ways_to_cut(std::int64_t size) {
  const Tensor all = arange(size);
  Tensors ways{slice(all, 0, 0, size / 2), slice(all, 0, size / 2)};
  for (std::int64_t dropped = size; dropped-- > 0;)
    ways.push_back(cat({slice(all, 0, 0, dropped), slice(all, 0, dropped + 1)}, 0));
  return ways;
}

class ShrinkSearch {
 public:
  ShrinkSearch(const gradchecks::Function& f, Tensors inputs, const GradcheckOptions& options)
      : f_(f), options_(options), inputs_(std::move(inputs)), report_(check(inputs_)) {
    if (report_.verdict != gradchecks::Verdict::fail)
      fail<ValueError>(
          "shrink: the check of these inputs does not fail, its verdict is {}: give it inputs for which it does",
          name_of(report_.verdict));
  }

  Shrunk run() {
    while (makes_shapes_smaller()) {
    }
    make_values_simpler();
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

  // All axes of this size, or if that does not fail each of them.
  bool cuts_axes_of(std::int64_t size) {
    for (const Tensor& kept : ways_to_cut(size)) {
      std::vector<Tensors> alone;
      Tensors together = inputs_;
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (int axis = 0; axis < inputs_[i].rank(); ++axis) {
          if (inputs_[i].size(axis) != size) continue;
          together[i] = index_select(together[i], axis, kept);
          alone.push_back(inputs_);
          alone.back()[i] = index_select(inputs_[i], axis, kept);
        }
      if (accepts(together) || std::ranges::any_of(alone, [&](const Tensors& one) { return accepts(one); }))
        return true;
    }
    return false;
  }

  // Each element becomes 0, 1, or a whole number, the first of these that fails.
  void make_values_simpler() {
    for (std::size_t i = 0; i < inputs_.size(); ++i)
      for (std::int64_t n = 0; n < inputs_[i].numel(); ++n) {
        const double x = element_of(inputs_[i], n);
        for (const double simpler : {0.0, 1.0, std::round(x)}) {
          Tensors changed = inputs_;
          changed[i] = where(only(inputs_[i], n, 1), simpler, inputs_[i]);
          if (simpler == x || accepts(changed)) break;
        }
      }
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
  std::vector<std::string> values;
  for (const Variable& x : inputs)
    values.push_back(fmt::format("{}({})", is_float(x.dtype()) ? "parameter" : "Variable", as_code(x.value())));
  return fmt::format("gradcheck(f, {{{}}}{})", join_words(values, ", "), options.order == 1 ? ", {.order = 1}" : "");
}

std::string to_string(const Shrunk& shrunk) {
  return fmt::format("{}\n  {}\n  {} inputs were checked on the way", shrunk.code, shrunk.report.reason, shrunk.tried);
}

}  // namespace regard
