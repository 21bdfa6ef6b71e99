#include "autograd/gradcheck/bisect/mistake.h"

#include "autograd/elements.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/index.h"
#include "tensor/ops/order.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace regard::bisecting {
namespace {

using Kind = Mistake::Kind;
using Found = std::optional<Mistake>;

bool has_some(const Tensor& marks) { return largest(marks) > 0; }

// Of those, the one where the slope is largest is told.
Found not_finite(const Derivatives& d) {
  const Tensor marks = 1 - is_finite(d.by_rule);
  if (!has_some(marks)) return std::nullopt;
  const auto worst = static_cast<std::int64_t>(argmax(flatten(where(marks, abs(d.measured), -1)), 0).item());
  return Mistake{Kind::not_finite, fmt::format("the rule gives {} where the slope is {:.4g}",
                                               std::isnan(element_of(d.by_rule, worst)) ? "NaN" : "an infinity",
                                               element_of(d.measured, worst))};
}

// All derivatives agree, measured by the largest of them, so none of the other mistakes can be seen.
Found small_ones(const Derivatives& d) {
  if (!agree(d.by_rule, d.measured)) return std::nullopt;
  const double all = largest(d.measured);
  const Tensor allowed = GradcheckOptions{}.tolerance * maximum(abs(d.measured), abs(d.by_rule)) + 1e-9 * all;
  const Tensor marks = greater(abs(d.by_rule - d.measured), allowed);
  const Tensor measured = d.measured * marks, by_rule = d.by_rule * marks;
  const double off = std::max(largest(measured), largest(by_rule));
  if (off > 0.1 * all)
    return Mistake{Kind::factor,
                   fmt::format("it is the right one times {:.7g}", ratio(d.measured, d.by_rule).value_or(1))};
  const double count = sum(marks).item();
  std::string text = fmt::format("the large ones are right; {} of {} derivatives ", count, marks.numel());
  text += count == 1 ? "is off, and it is small, " : "are off, and they are small, at most ";
  text += fmt::format("{:.2g} of the largest", off / all);
  if (const auto c = ratio(measured, by_rule, 1e-3))
    text += fmt::format(": there it is about {:.3g} times the right one", *c);
  return Mistake{Kind::small_ones, text};
}

Found swapped(const std::vector<Derivatives>& all, std::size_t which) {
  const Derivatives& d = all[which];
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i != which && all[i].x == d.x && agree(d.by_rule, all[i].measured) && agree(all[i].by_rule, d.measured))
      return Mistake{Kind::swapped, fmt::format("it is that of input {}: the two are swapped", all[i].input)};
  return std::nullopt;
}

Found constant(const Derivatives& d) {
  if (largest(d.by_rule) <= 1e-7 * largest(d.measured)) return Mistake{Kind::zero, "it is 0: a term is missing"};
  const auto c = ratio(d.measured, d.by_rule);
  if (!c) return std::nullopt;
  if (std::abs(*c + 1) < 1e-5) return Mistake{Kind::sign, "it has the wrong sign"};
  const auto written = as_written(*c, d.x, d.y);
  if (!written) return std::nullopt;
  const bool is_mean = written->starts_with("1/") && written->find("where") != std::string::npos;
  return Mistake{Kind::factor,
                 fmt::format("it is the right one times {}{}", *written, is_mean ? ": a mean instead of a sum?" : "")};
}

Found any_constant(const Derivatives& d) {
  const auto c = ratio(d.measured, d.by_rule);
  return c ? Found(Mistake{Kind::factor, fmt::format("it is the right one times {:.6g}", *c)}) : std::nullopt;
}

bool can_be_turned(const Shape& shape) { return shape.rank() >= 2 && shape.back(1) == shape.back(2); }

// Where each element is once the last two axes are swapped.
Tensor turned_indexes(const Shape& shape) { return flatten(transpose(reshape(arange(shape.numel()), shape))); }

Found transposed(const RecordedRun& run, std::size_t k, const Derivatives& d, std::size_t which) {
  if (can_be_turned(d.x) && agree(index_select(d.by_rule, 0, turned_indexes(d.x)), d.measured))
    return Mistake{Kind::transposed, "it is the transposed of the right one"};
  if (can_be_turned(d.y) && agree(index_select(d.by_rule, 1, turned_indexes(d.y)), d.measured))
    return Mistake{Kind::transposed,
                   "it is made of the transposed of the gradient that arrives: two axes are mixed up"};
  const graph::Inputs& inputs = run.node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (can_be_turned(inputs[i].shape()) && agree(by_rule_with_transposed(run, k, i)[which], d.measured))
      return Mistake{Kind::transposed, fmt::format("input {} has to be transposed in it", i)};
  return std::nullopt;
}

// Are the derivatives right for some of the indexes along an axis of the result, and 0 for the others?
Found partial_sum(const Derivatives& d) {
  for (int axis = 0; axis < d.y.rank(); ++axis) {
    const auto with_axis = [&](const Tensor& table) {
      return reshape(table, {-1, d.y[axis], contiguous_strides(d.y)[axis]});
    };
    const Tensor measured = with_axis(d.measured), by_rule = with_axis(d.by_rule);
    const Tensor counts = any(greater(abs(by_rule), 1e-7 * largest(measured)), {0, 2}, keepdim);
    if (!agree(measured * counts, by_rule)) continue;
    std::vector<std::int64_t> indexes;
    for (std::int64_t i = 0; i < counts.numel(); ++i)
      if (element_of(counts, i) != 0) indexes.push_back(i);
    return Mistake{Kind::partial_sum,
                   fmt::format("of axis {} of the gradient that arrives it counts index {} only: a sum over that axis "
                               "is missing",
                               axis, comma_separated(indexes))};
  }
  return std::nullopt;
}

// Influences that the rule leaves out: derivatives that are 0 by the rule, and measured ones that are not.
Found missing_term(const Derivatives& d) {
  const double nothing = 1e-6 * largest(d.measured);
  const Tensor is_there = greater(abs(d.measured), nothing), counts = greater(abs(d.by_rule), nothing);
  const Tensor left_out = is_there * (1 - counts);
  if (!has_some(left_out) || has_some(counts * (1 - is_there))) return std::nullopt;
  if (d.x == d.y && !has_some(counts * (1 - eye(d.x.numel(), DType::f64))))
    return Mistake{
        Kind::missing_term,
        "by the rule each element of the input moves only the element of the result at the same index, but it "
        "moves others too: a term, as a rule a sum over an axis, is missing"};
  if (!agree(d.measured * counts, d.by_rule)) return std::nullopt;
  return Mistake{Kind::missing_term, fmt::format("{} of {} influences of an element of the input on one of the result "
                                                 "are left out: a term is missing",
                                                 sum(left_out).item(), sum(is_there).item())};
}

// Which derivatives are off, the worst first.
std::string wrong_entries(const Derivatives& d) {
  const Tensor off = flatten(abs(d.measured - d.by_rule));
  const double count = sum(greater(off, 1e-6 * largest(d.measured))).item();
  std::string text = fmt::format("{} of {} derivatives are off", count, off.numel());
  const Tensor order = argsort(off, 0, SortOrder::descending);
  for (std::int64_t i = 0; i < std::min(count, 5.0); ++i) {
    const auto at = static_cast<std::int64_t>(element_of(order, i));
    text += fmt::format("{} ∂y{}/∂x{}: by the rule {:.6g}, measured {:.6g}", i == 0 ? ":" : ";",
                        index_of(d.y, at % d.y.numel()), index_of(d.x, at / d.y.numel()), element_of(d.by_rule, at),
                        element_of(d.measured, at));
  }
  return text;
}

}  // namespace

std::string_view name_of(Kind kind) {
  static constexpr std::array names{"not finite",   "small ones",      "swapped",     "zero",
                                    "wrong sign",   "constant factor", "transposed",  "missing factor",
                                    "extra factor", "another factor",  "missing sum", "missing term",
                                    "another term", "none of those",   "too large"};
  return names[static_cast<std::size_t>(kind)];
}

Mistake likely_mistake(const RecordedRun& run, std::size_t k, const std::vector<Derivatives>& all, std::size_t which) {
  const Derivatives& d = all[which];
  if (const Found found = not_finite(d)) return *found;  // first: no number can be compared with NaN
  if (const Found found = small_ones(d)) return *found;
  if (const Found found = swapped(all, which)) return *found;
  if (const Found found = constant(d)) return *found;
  if (const Found found = transposed(run, k, d, which)) return *found;
  if (const Found found = partial_sum(d)) return *found;
  if (const Found found = wrong_factor(run, k, d)) return *found;
  const auto sum = missing_sum(run, k, d);
  if (Found found = missing_term(d)) return {found->kind, sum ? found->text + ": " + *sum : found->text};
  if (sum) return {Kind::other_term, *sum};
  if (const Found found = any_constant(d)) return *found;
  return {Kind::none_of_those, "it is none of the mistakes that are tried; " + wrong_entries(d)};
}

}  // namespace regard::bisecting
