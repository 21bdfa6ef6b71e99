#include "autograd/gradcheck/bisect/shrink.h"

#include "autograd/gradcheck/bisect/as_code.h"
#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/index.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <set>

namespace regard {
namespace {

using Tensors = std::vector<Tensor>;

// The indexes that are left of each block of an axis.
using Kept = std::vector<std::int64_t>;
std::vector<Kept> ways_to_cut(std::int64_t size) {
  const auto range = [](std::int64_t begin, std::int64_t end) {
    Kept kept;
    for (std::int64_t i = begin; i < end; ++i) kept.push_back(i);
    return kept;
  };
  std::vector<Kept> ways{range(0, size / 2), range(size / 2, size)};
  for (std::int64_t dropped = size; dropped-- > 0;) {
    Kept kept = range(0, size);
    kept.erase(kept.begin() + dropped);
    ways.push_back(std::move(kept));
  }
  return ways;
}

// Of an axis that consists of blocks of `block` elements, each is cut in the same way.
Tensor cut(const Tensor& x, int axis, std::int64_t block, const Kept& kept) {
  std::vector<double> indexes;
  for (std::int64_t begin = 0; begin < x.size(axis); begin += block)
    for (const std::int64_t i : kept) indexes.push_back(static_cast<double>(begin + i));
  const auto count = static_cast<std::int64_t>(indexes.size());
  return index_select(x, axis, tensor(indexes, {count}, DType::i64));
}

// 0 for the simplest numbers.
int complexity(double x) {
  if (x == 0) return 0;
  if (x == 1) return 1;
  for (int digits = 0; digits <= 2; ++digits) {
    const double scaled = x * std::pow(10, digits);
    if (std::abs(scaled - std::round(scaled)) < 1e-9 && std::abs(x) < 1e6) return 2 + digits;
  }
  return 5;
}
int complexity(const Tensor& x) {
  int sum = 0;
  for (const double value : to_vector(x)) sum += complexity(value);
  return sum;
}

constexpr int simpler_count = 5;
double simpler(double x, int which) {
  if (which < 2) return which;
  const double scale = std::pow(10, which - 2);
  return std::round(x * scale) / scale;
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
    const std::vector<Variable> leaves = variables(inputs_);
    return {leaves, report_, as_code(leaves, options_), tried_};
  }

 private:
  static std::vector<Variable> variables(const Tensors& inputs) {
    std::vector<Variable> list;
    for (const Tensor& x : inputs) list.push_back(is_float(x.dtype()) ? parameter(x) : Variable(x));
    return list;
  }

  GradcheckReport check(const Tensors& inputs) {
    ++tried_;
    return gradcheck(f_, variables(inputs), options_);
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
    for (const Kept& kept : ways_to_cut(size)) {
      for (const bool with_multiples : {false, true}) {
        Tensors smaller = inputs_;
        for (Tensor& x : smaller)
          for (int axis = 0; axis < x.rank(); ++axis)
            if (x.size(axis) == size || (with_multiples && x.size(axis) > 0 && x.size(axis) % size == 0))
              x = cut(x, axis, size, kept);
        if (accepts(smaller)) return true;
      }
      for (std::size_t i = 0; i < inputs_.size(); ++i)
        for (int axis = 0; axis < inputs_[i].rank(); ++axis) {
          if (inputs_[i].size(axis) != size) continue;
          Tensors smaller = inputs_;
          smaller[i] = cut(smaller[i], axis, size, kept);
          if (accepts(smaller)) return true;
        }
    }
    return false;
  }

  bool accepts_values(std::size_t input, const std::vector<double>& values) {
    Tensors simpler_inputs = inputs_;
    simpler_inputs[input] = tensor(values, inputs_[input].shape(), inputs_[input].dtype());
    return complexity(simpler_inputs[input]) < complexity(inputs_[input]) && accepts(simpler_inputs);
  }

  bool makes_values_simpler() {
    bool changes = false;
    for (std::size_t i = 0; i < inputs_.size(); ++i) {
      for (int which = 0; which < simpler_count; ++which) {
        std::vector<double> values = to_vector(inputs_[i]);
        for (double& value : values) value = simpler(value, which);
        if (accepts_values(i, values)) {
          changes = true;
          break;
        }
      }
      for (std::size_t n = 0; n < to_vector(inputs_[i]).size(); ++n)
        for (int which = 0; which < simpler_count; ++which) {
          std::vector<double> values = to_vector(inputs_[i]);
          values[n] = simpler(values[n], which);
          if (accepts_values(i, values)) {
            changes = true;
            break;
          }
        }
    }
    return changes;
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

std::string to_string(const Shrunk& shrunk) {
  return fmt::format("{}\n  {}\n  {} inputs were checked on the way", shrunk.code, shrunk.report.reason, shrunk.tried);
}

}  // namespace regard
