#include "autograd/gradcheck/bisect/mistake.h"

#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/terms.h"
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

namespace regard::bisecting {
namespace {

using Kind = Mistake::Kind;
using Found = std::optional<Mistake>;

bool has_some(const Tensor& marks) { return largest(marks) > 0; }

// A row for each element of x, a column for each of y: where the two disagree.
std::string picture(const Derivatives& d, const Tensor& off) {
  std::string text = fmt::format("\n  each row is an element of x, each column one of y, × is off:");
  for (std::int64_t m = 0; m < d.x.numel(); ++m) {
    text += fmt::format("\n    {:<10}", index_of(d.x, m));
    for (std::int64_t n = 0; n < d.y.numel(); ++n) text += element_of(off, m * d.y.numel() + n) != 0 ? "×" : "·";
  }
  return text;
}

// Which derivatives are off, the worst first; and in small tables a picture of where they are.
std::string wrong_entries(const Derivatives& d) {
  constexpr std::int64_t most_shown = 5, most_rows_drawn = 12, most_columns_drawn = 60;
  const Tensor allowed = GradcheckOptions{}.tolerance * maximum(abs(d.measured), abs(d.by_rule));
  const Tensor apart = abs(d.measured - d.by_rule), off = greater(apart, allowed + 1e-9 * largest(d.measured));
  const auto count = static_cast<std::int64_t>(sum(off).item());
  std::string text = fmt::format("{} of {} derivatives are off", count, off.numel());
  const Tensor order = argsort(flatten(apart * off), 0, SortOrder::descending);
  for (std::int64_t i = 0; i < std::min(count, most_shown); ++i) {
    const auto at = static_cast<std::int64_t>(element_of(order, i));
    text += fmt::format("{} ∂y{}/∂x{}: {}", i == 0 ? ":" : ";", index_of(d.y, at % d.y.numel()),
                        index_of(d.x, at / d.y.numel()), both(element_of(d.by_rule, at), element_of(d.measured, at)));
  }
  const bool is_small = d.x.numel() <= most_rows_drawn && d.y.numel() <= most_columns_drawn;
  return is_small ? text + picture(d, off) : text;
}

Found not_finite(const Derivatives& d) {
  if (!has_some(1 - is_finite(d.by_rule))) return std::nullopt;
  return Mistake{Kind::not_finite, "the rule gives NaN or an infinity where the slope is a number"};
}

// All derivatives agree, measured by the largest of them, so none of the other mistakes can be seen.
Found small_ones(const Derivatives& d) {
  if (!agree(d.by_rule, d.measured)) return std::nullopt;
  return Mistake{Kind::small_ones, "beside the largest derivatives there is hardly a difference; " + wrong_entries(d)};
}

Found constant(const Derivatives& d) {
  if (largest(d.by_rule) <= 1e-7 * largest(d.measured)) return Mistake{Kind::zero, "it is 0: a term is missing"};
  const auto c = ratio(d.measured, d.by_rule);
  if (!c) return std::nullopt;
  if (std::abs(*c + 1) < tolerance_of_fits) return Mistake{Kind::sign, "it has the wrong sign"};
  const auto written = as_written(*c, d);
  if (!written) return std::nullopt;
  const bool is_mean = written->starts_with("1/") && written->find("where") != std::string::npos;
  return Mistake{Kind::factor,
                 fmt::format("it is the right one times {}{}", *written, is_mean ? ": a mean instead of a sum?" : "")};
}

bool can_be_turned(const Shape& shape) { return shape.rank() >= 2 && shape.back(1) == shape.back(2); }

// Where each element is once the last two axes are swapped.
Tensor turned_indexes(const Shape& shape) { return flatten(transpose(reshape(arange(shape.numel()), shape))); }

// Something else would be right if it were exchanged.
Found exchanged(const RecordedRun& run, std::size_t k, const std::vector<Derivatives>& all, std::size_t which) {
  const Derivatives& d = all[which];
  const auto is_right = [&](const Tensor& table) { return agree(table, d.measured); };
  for (const Derivatives& other : all)
    if (&other != &d && other.x == d.x && is_right(other.by_rule) && agree(d.by_rule, other.measured))
      return Mistake{Kind::swapped, fmt::format("it is that of input {}: the two are swapped", other.input)};
  if (can_be_turned(d.x) && is_right(index_select(d.by_rule, 0, turned_indexes(d.x))))
    return Mistake{Kind::transposed, "it is the transposed of the right one"};
  if (can_be_turned(d.y) && is_right(index_select(d.by_rule, 1, turned_indexes(d.y))))
    return Mistake{Kind::transposed,
                   "it is made of the transposed of the gradient that arrives: two axes are mixed up"};
  const graph::Inputs& inputs = run.node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (can_be_turned(inputs[i].shape()) && is_right(by_rule_with_transposed(run, k, i)[which]))
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
bool leaves_out_influences(const Derivatives& d) {
  const double nothing = 1e-6 * largest(d.measured);
  const Tensor is_there = greater(abs(d.measured), nothing), counts = greater(abs(d.by_rule), nothing);
  return has_some(is_there * (1 - counts)) && !has_some(counts * (1 - is_there));
}

Mistake wrong_term(const Derivatives& d, const Terms& terms) {
  const Kind kind = leaves_out_influences(d) ? Kind::missing_term : Kind::other_term;
  if (const auto sum = terms.sum_of_terms(d.measured - d.by_rule)) {
    const bool is_double = sum->starts_with("2·") || sum->starts_with("−2·");
    return {kind, *sum + " has to be added to it" + (is_double ? ": does half of it have the wrong sign there?" : "")};
  }
  if (const auto all = terms.sum_of_terms(d.measured)) return {kind, "it should be " + *all};
  if (kind == Kind::missing_term)
    return {kind, "it leaves out that elements of the input move elements of the result; " + wrong_entries(d)};
  return {Kind::none_of_those, "it is none of the mistakes that are tried; " + wrong_entries(d)};
}

}  // namespace

std::string_view name_of(Kind kind) {
  static constexpr std::array names{"not finite",   "small ones",    "zero",        "wrong sign",     "constant factor",
                                    "swapped",      "transposed",    "missing sum", "missing factor", "missing term",
                                    "another term", "none of those", "too large"};
  return names[static_cast<std::size_t>(kind)];
}

std::string both(double by_rule, double measured) {
  const auto with_digits = [](double x, int digits) { return fmt::format("{:.{}g}", x, digits); };
  const int digits = with_digits(by_rule, 6) == with_digits(measured, 6) ? 9 : 6;
  return fmt::format("by the rule {}, measured {}", with_digits(by_rule, digits), with_digits(measured, digits));
}

Mistake likely_mistake(const RecordedRun& run, std::size_t k, const std::vector<Derivatives>& all, std::size_t which) {
  const Derivatives& d = all[which];
  if (const Found found = not_finite(d)) return *found;  // first: no number can be compared with NaN
  if (const Found found = small_ones(d)) return *found;
  if (const Found found = constant(d)) return *found;
  if (const Found found = exchanged(run, k, all, which)) return *found;
  if (const Found found = partial_sum(d)) return *found;
  const Terms terms(run, k, d);
  if (const auto factor = terms.missing_factor())
    return {Kind::missing_factor, fmt::format("the factor {} is missing", *factor)};
  if (const auto c = ratio(d.measured, d.by_rule))
    return {Kind::factor, fmt::format("it is the right one times {:.6g}", *c)};
  return wrong_term(d, terms);
}

}  // namespace regard::bisecting
