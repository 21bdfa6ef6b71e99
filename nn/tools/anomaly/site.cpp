#include "nn/tools/anomaly/site.h"

#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::anomaly {
namespace {

Site everything(const Shape& shape) { return Site(static_cast<std::size_t>(shape.rank())); }

// The elements of a tensor of shape `to` that go with these of one of shape `from`. Axes are counted from the last one,
// as in broadcasting. An axis of size 1 has one index.
Site stretched(const Site& these, const Shape& from, const Shape& to) {
  Site site = everything(to);
  for (int k = 1; k <= to.rank(); ++k) {
    std::optional<std::int64_t>& index = site[static_cast<std::size_t>(to.rank() - k)];
    if (to.back(k) == 1)
      index = 0;
    else if (k <= from.rank() && from.back(k) == to.back(k))
      index = these[static_cast<std::size_t>(from.rank() - k)];
  }
  return site;
}

// A row of the first, a column of the second. The weight of linear has a row for each column of the result.
Site read_by_product(const OpInfo& op, std::size_t i, const Shape& input, const Site& of_result, const Shape& result) {
  Site site = stretched(of_result, result, input);
  if (i == 2) return site;  // the bias
  const bool transposed = i == 1 && std::string_view(op.name) == "linear";
  const std::size_t last = site.size() - 1;
  if (transposed && last > 0) site[last - 1] = of_result.back();
  site[i == 0 || transposed || last == 0 ? last : last - 1] = std::nullopt;
  return site;
}

// For a sum or a maximum: axes that are gone, or have become 1, were read as a whole.
Site read_by_reduction(const Shape& input, const Site& of_result, const Shape& result) {
  Site site = everything(input);
  if (input.rank() == result.rank()) {
    for (int axis = 0; axis < input.rank(); ++axis)
      if (input[axis] == result[axis]) site[static_cast<std::size_t>(axis)] = of_result[static_cast<std::size_t>(axis)];
    return site;
  }
  if (input.rank() != result.rank() + 1) return site;
  int fits = 0, gone = 0;
  for (int axis = 0; axis < input.rank(); ++axis) {
    bool fit = true;
    for (int k = 0; k < result.rank(); ++k) fit = fit && result[k] == input[k < axis ? k : k + 1];
    if (fit) ++fits, gone = axis;
  }
  if (fits != 1) return site;
  site = of_result;
  site.insert(site.begin() + gone, std::nullopt);
  return site;
}

// softmax does not tell along which axis it goes. But one NaN in a row spreads over all of it, so the row is known if
// along one axis alone everything is NaN.
Site the_row_of_nan(const Site& of_result, const Tensor& y) {
  std::vector<Site> rows;
  for (std::size_t axis = 0; axis < of_result.size(); ++axis) {
    Site row = of_result;
    row[axis] = std::nullopt;
    const Extremes there = extremes_of(y, row);
    if (y.size(static_cast<int>(axis)) > 1 && there.nans == there.count) rows.push_back(row);
  }
  return rows.size() == 1 ? rows[0] : everything(y.shape());
}

std::optional<Site> first_that(const Tensor& x, const auto& is_wanted) {
  const std::vector<double> numbers = to_vector(x);
  const auto found = std::find_if(numbers.begin(), numbers.end(), is_wanted);
  if (found == numbers.end()) return std::nullopt;
  std::int64_t left = found - numbers.begin();
  Site site = everything(x.shape());
  for (int axis = x.rank() - 1; axis >= 0; --axis) {
    site[static_cast<std::size_t>(axis)] = left % x.size(axis);
    left /= x.size(axis);
  }
  return site;
}

std::string told(double number) {
  if (std::isnan(number)) return "NaN";
  const std::string size = std::isinf(number) ? "∞" : fmt::format("{:.6g}", std::abs(number));
  return (std::signbit(number) ? "−" : "") + size;
}

}  // namespace

std::string to_string(const Site& site) {
  std::string text;
  for (const auto& index : site) text += (text.empty() ? "" : ", ") + (index ? std::to_string(*index) : ":");
  return "(" + text + ")";
}

std::optional<Site> first_bad(const Tensor& x, bool nan) {
  return first_that(x, [nan](double number) { return nan ? std::isnan(number) : std::isinf(number); });
}

std::optional<Site> first_overflow(const OpInfo& op, const graph::Inputs& inputs, const Tensor& result) {
  if (op.facts.made_of != MadeOf::element) return std::nullopt;
  const auto infinity = std::numeric_limits<double>::infinity();
  Tensor overflow = equal(abs(to(result, DType::f64)), infinity);
  for (const Variable& input : inputs)
    if (is_float(input.dtype())) overflow = where(less(abs(to(input.value(), DType::f64)), infinity), overflow, 0.0);
  return first_that(overflow, [](double yes) { return yes != 0; });
}

Site read_for(const OpInfo& op, std::size_t i, const Shape& input, const Site& of_result, const Tensor& y) {
  const Shape& result = y.shape();
  switch (op.facts.made_of) {
    case MadeOf::product: return read_by_product(op, i, input, of_result, result);
    case MadeOf::element: return stretched(of_result, result, input);
    case MadeOf::reduction: return read_by_reduction(input, of_result, result);
    case MadeOf::row: return the_row_of_nan(of_result, y);
    case MadeOf::last_row: {
      if (i > 0 || of_result.empty() || input != result) break;
      Site row = of_result;
      row.back() = std::nullopt;
      return row;
    }
    case MadeOf::other: break;
  }
  return everything(input);  // transpose, gather, cumsum, …: they read elsewhere
}

Site made_from(const OpInfo& op, const Site& of_input, const Shape& input, const Shape& result) {
  return op.facts.made_of == MadeOf::element ? stretched(of_input, input, result) : everything(result);
}

Extremes extremes_of(const Tensor& x, const Site& site) {
  Tensor there = x;
  for (std::size_t axis = 0; axis < site.size(); ++axis)
    if (site[axis]) there = slice(there, static_cast<int>(axis), *site[axis], *site[axis] + 1);
  Extremes extremes{std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const double number : to_vector(there)) {
    ++extremes.count;
    if (std::isnan(number))
      ++extremes.nans;
    else
      extremes.low = std::min(extremes.low, number), extremes.high = std::max(extremes.high, number);
  }
  return extremes;
}

std::string told(const Extremes& e, const Site& site) {
  if (e.count == 0) return "nothing";
  const std::string where = site.empty() ? "" : " " + to_string(site);
  if (e.count == 1) return told(e.nans > 0 ? std::nan("") : e.low) + (where.empty() ? "" : " at" + where);
  const std::string in = where.empty() ? "" : " in" + where;
  if (e.nans == e.count) return "all NaN" + in;
  return fmt::format("{} to {}{}{}", told(e.low), told(e.high), in,
                     e.nans > 0 ? fmt::format(", and {} NaN", e.nans) : "");
}

}  // namespace regard::anomaly
