#include "autograd/gradcheck/bisect/mistake.h"

#include "autograd/gradcheck/bisect/factors.h"
#include "autograd/gradcheck/bisect/table_fit.h"
#include "tensor/create.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace regard::bisecting {
namespace {

using Kind = Mistake::Kind;
using Found = std::optional<Mistake>;

std::size_t size_of(const Shape& shape) { return static_cast<std::size_t>(shape.numel()); }

// Of those, the place where the slope is largest is told.
Found not_finite(const Derivatives& d) {
  std::optional<std::size_t> worst;
  for (std::size_t i = 0; i < d.by_rule.size(); ++i)
    if (!std::isfinite(d.by_rule[i]) && (!worst || std::abs(d.measured[i]) > std::abs(d.measured[*worst]))) worst = i;
  if (!worst) return std::nullopt;
  return Mistake{Kind::not_finite,
                 fmt::format("the rule gives {} where the slope is {:.4g}",
                             std::isnan(d.by_rule[*worst]) ? "NaN" : "an infinity", d.measured[*worst])};
}

// All derivatives agree, measured by the largest of them, so none of the other mistakes can be seen.
Found small_ones(const Derivatives& d) {
  if (!agree(d.by_rule, d.measured)) return std::nullopt;
  const double all = largest(d.measured);
  Table measured, by_rule;  // those that are off
  for (std::size_t i = 0; i < d.measured.size(); ++i) {
    const double size = std::max(std::abs(d.measured[i]), std::abs(d.by_rule[i]));
    if (std::abs(d.by_rule[i] - d.measured[i]) <= GradcheckOptions{}.tolerance * size + 1e-9 * all) continue;
    measured.push_back(d.measured[i]), by_rule.push_back(d.by_rule[i]);
  }
  const double off = std::max(largest(measured), largest(by_rule));
  if (off > 0.1 * all) {
    const auto c = ratio(d.measured, d.by_rule);
    return Mistake{Kind::factor, fmt::format("it is the right one times {:.7g}", c.value_or(1))};
  }
  std::string text =
      fmt::format("the large ones are right; {} of {} derivatives {} off, and {} small, ", measured.size(),
                  d.measured.size(), measured.size() == 1 ? "is" : "are", measured.size() == 1 ? "it is" : "they are");
  text += fmt::format("{}{:.2g} of the largest", measured.size() == 1 ? "" : "at most ", off / all);
  if (const auto c = ratio(measured, by_rule, 1e-3))
    text += fmt::format(": there it is about {:.3g} times the right one", *c);
  return Mistake{Kind::small_ones, text};
}

Found swapped(const std::vector<Derivatives>& all, std::size_t which) {
  const Derivatives& d = all[which];
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i != which && all[i].x == d.x && agree(d.by_rule, all[i].measured) && agree(all[i].by_rule, d.measured))
      return Mistake{Kind::swapped, fmt::format("it is that of input {}: the two are swapped", all[i].place)};
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
                 fmt::format("it is the right one times {}{}", *written, is_mean ? ": a mean in place of a sum?" : "")};
}

Found any_constant(const Derivatives& d) {
  const auto c = ratio(d.measured, d.by_rule);
  return c ? Found(Mistake{Kind::factor, fmt::format("it is the right one times {:.6g}", *c)}) : std::nullopt;
}

bool can_be_turned(const Shape& shape) { return shape.rank() >= 2 && shape.back(1) == shape.back(2); }

// Where each element is once the last two axes have changed places.
std::vector<std::size_t> turned_places(const Shape& shape) {
  std::vector<std::size_t> places;
  for (const double place : to_vector(transpose(reshape(arange(shape.numel()), shape))))
    places.push_back(static_cast<std::size_t>(place));
  return places;
}

Table with_turned(const Derivatives& d, bool x_turned, bool y_turned) {
  const std::size_t columns = size_of(d.y);
  const auto x = x_turned ? turned_places(d.x) : std::vector<std::size_t>();
  const auto y = y_turned ? turned_places(d.y) : std::vector<std::size_t>();
  Table table;
  for (std::size_t m = 0; m < size_of(d.x); ++m)
    for (std::size_t n = 0; n < columns; ++n)
      table.push_back(d.by_rule[(x_turned ? x[m] : m) * columns + (y_turned ? y[n] : n)]);
  return table;
}

Found transposed(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  const bool x = can_be_turned(d.x), y = can_be_turned(d.y);
  if (x && agree(with_turned(d, true, false), d.measured))
    return Mistake{Kind::transposed, "it is the transposed of the right one"};
  if (y && agree(with_turned(d, false, true), d.measured))
    return Mistake{Kind::transposed,
                   "it is made of the transposed of the gradient that arrives: two axes are mixed up"};
  const graph::Inputs& inputs = run.node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (can_be_turned(inputs[i].shape()) && agree(by_rule_with_transposed(run, k, d.place, i), d.measured))
      return Mistake{Kind::transposed, fmt::format("input {} has to be transposed in it", i)};
  return std::nullopt;
}

// The index along an axis of the element with this number.
std::int64_t index_along(const Shape& shape, int axis, std::size_t number) {
  const std::int64_t stride = contiguous_strides(shape)[axis];
  return static_cast<std::int64_t>(number) / stride % shape[axis];
}

// Are the derivatives right for some of the indexes along an axis, and 0 for the others? `of_result`: an axis of y.
std::optional<std::string> counted_indexes(const Derivatives& d, bool of_result, int axis) {
  const Shape& shape = of_result ? d.y : d.x;
  const std::size_t columns = size_of(d.y);
  std::vector<bool> counts(static_cast<std::size_t>(shape[axis]), false);
  const double nothing = 1e-7 * largest(d.measured);
  const auto index_of = [&](std::size_t place) {
    return static_cast<std::size_t>(index_along(shape, axis, of_result ? place % columns : place / columns));
  };
  for (std::size_t i = 0; i < d.by_rule.size(); ++i)
    if (std::abs(d.by_rule[i]) > nothing) counts[index_of(i)] = true;
  Table kept = d.measured;
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!counts[index_of(i)]) kept[i] = 0;
  if (!agree(kept, d.by_rule)) return std::nullopt;
  std::vector<std::size_t> indexes;
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i]) indexes.push_back(i);
  return comma_separated(indexes);
}

Found partial_sum(const Derivatives& d) {
  for (int axis = 0; axis < d.y.rank(); ++axis)
    if (const auto indexes = counted_indexes(d, true, axis))
      return Mistake{Kind::partial_sum,
                     fmt::format("of axis {} of the gradient that arrives it counts index {} only: a "
                                 "sum over that axis is missing",
                                 axis, *indexes)};
  for (int axis = 0; axis < d.x.rank(); ++axis)
    if (const auto indexes = counted_indexes(d, false, axis))
      return Mistake{Kind::missing_term, fmt::format("along axis {} only index {} has one", axis, *indexes)};
  return std::nullopt;
}

// Influences that the rule leaves out: derivatives that are 0 by the rule, and measured ones that are not.
Found missing_term(const Derivatives& d) {
  const double nothing = 1e-6 * largest(d.measured);
  std::size_t left_out = 0, all = 0;
  bool adds_some = false, only_same_place = d.x == d.y;
  Table of_those_counted = d.measured;
  for (std::size_t i = 0; i < d.measured.size(); ++i) {
    const bool is_there = std::abs(d.measured[i]) > nothing, counts = std::abs(d.by_rule[i]) > nothing;
    all += is_there;
    left_out += is_there && !counts;
    adds_some = adds_some || (counts && !is_there);
    only_same_place = only_same_place && (!counts || i / size_of(d.y) == i % size_of(d.y));
    if (!counts) of_those_counted[i] = 0;
  }
  if (left_out == 0 || adds_some) return std::nullopt;
  if (only_same_place)
    return Mistake{
        Kind::missing_term,
        "by the rule each element of the input moves only the element of the result at its own place, but it "
        "moves others too: a term, as a rule a sum over an axis, is missing"};
  if (!agree(of_those_counted, d.by_rule)) return std::nullopt;
  return Mistake{Kind::missing_term, fmt::format("{} of {} influences of an element of the input on one of the result "
                                                 "are left out: a term is missing",
                                                 left_out, all)};
}

}  // namespace

std::string_view name_of(Kind kind) {
  switch (kind) {
    case Kind::not_finite: return "not finite";
    case Kind::small_ones: return "small ones";
    case Kind::swapped: return "swapped";
    case Kind::zero: return "zero";
    case Kind::sign: return "wrong sign";
    case Kind::factor: return "constant factor";
    case Kind::transposed: return "transposed";
    case Kind::missing_factor: return "missing factor";
    case Kind::extra_factor: return "extra factor";
    case Kind::other_factor: return "another factor";
    case Kind::partial_sum: return "missing sum";
    case Kind::missing_term: return "missing term";
    case Kind::none_of_those: return "none of those";
    case Kind::too_large: return "too large";
  }
  return "?";
}

Mistake likely_mistake(const RecordedRun& run, std::size_t k, const std::vector<Derivatives>& all, std::size_t which) {
  const Derivatives& d = all[which];
  if (const Found found = not_finite(d)) return *found;  // first: no number can be compared with NaN
  if (const Found found = small_ones(d)) return *found;
  if (const Found found = swapped(all, which)) return *found;
  if (const Found found = constant(d)) return *found;
  if (const Found found = transposed(run, k, d)) return *found;
  if (const Found found = partial_sum(d)) return *found;
  if (const Found found = wrong_factor(run, k, d)) return *found;
  if (const Found found = missing_term(d)) return *found;
  if (const Found found = any_constant(d)) return *found;
  return {Kind::none_of_those, "it is none of the mistakes that are tried"};
}

}  // namespace regard::bisecting
