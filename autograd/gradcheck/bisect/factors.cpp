#include "autograd/gradcheck/bisect/mistake.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace regard::bisecting {
namespace {

bool is_close(double a, double b) { return std::abs(a - b) <= 1e-5 * std::abs(b); }

// Which axis has so many elements: "axis 0 of the result", or "the number of elements of the input".
std::optional<std::string> axis_of_size(std::int64_t size, const Shape& input, const Shape& result) {
  for (const auto& [shape, name] : {std::pair(input, "input"), std::pair(result, "result")}) {
    for (int axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis] == size) return fmt::format("the size of axis {} of the {}", axis, name);
    if (shape.numel() == size) return fmt::format("the number of elements of the {}", name);
  }
  return std::nullopt;
}

// What may be a factor in the derivatives, a number for each row of the table or for each column, and how it is
// written.
struct Factor {
  std::string text;
  Tensor values;
};

// Does a value stand beside the elements of a shape once it is broadcast?
bool is_beside(const Tensor& value, const Shape& shape) {
  try {
    return broadcast("bisect", value.shape(), shape) == shape;
  } catch (const ShapeError&) {
    return false;
  }
}

// What a rule may be made of, beside the elements of one shape: each input and the result, as they are, squared, and so
// on, as rows or columns of the table. Plain forms are first, since they are what a rule most likely has.
std::vector<Factor> forms(const RecordedRun& run, std::size_t k, const Shape& beside, const Shape& as, bool plain) {
  std::vector<Factor> list;
  const auto add = [&](const std::string& name, const Tensor& v) {
    if (v.dtype() != DType::f64 || !is_beside(v, beside)) return;
    const auto form = [&](const char* before, const Tensor& x, const char* after) {
      list.push_back({before + name + after, reshape(expand(x, beside), as)});
    };
    if (plain) {
      form("", v, "");
      form("(", square(v), ")²");
      form("(1 − ", 1 - v, ")");
      form("(1 − (", 1 - square(v), ")²)");
      return;
    }
    form("1/(", 1 / v, ")");
    form("exp(", exp(v), ")");
    form("sin(", sin(v), ")");
    form("cos(", cos(v), ")");
    form("tanh(", tanh(v), ")");
    form("sigmoid(", sigmoid(v), ")");
    form("(1 − tanh²(", 1 - square(tanh(v)), "))");
    if (v.rank() > 0) form("1/|", rsqrt(sum(square(v), -1, keepdim)), "|");  // the length of each row
  };
  const graph::Inputs& inputs = run.node(k).inputs;
  for (std::size_t i = 0; i < inputs.size(); ++i) add(fmt::format("input {}", i), inputs[i].value());
  add("the result", run.result(k).value());
  return list;
}

std::vector<Factor> joined(std::vector<Factor> first, const std::vector<Factor>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::vector<Factor> factors(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  return joined(forms(run, k, d.x, {-1, 1}, true), forms(run, k, d.y, {1, -1}, true));
}

// "2·", or nothing for 1.
std::optional<std::string> in_front(double c, const Derivatives& d) {
  if (std::abs(c - 1) < 1e-5) return "";
  if (std::abs(c + 1) < 1e-5) return "−";
  const auto written = as_written(c, d.x, d.y);
  if (!written) return std::nullopt;
  return written->substr(0, written->find(',')) + "·";
}

// Derivatives between elements that have the same index along all axes that x and y share, counted from the last one,
// but for axis −`but` (0: for none). A sum over an axis that only one of them has is not told: no other is possible.
Tensor same_place(const Derivatives& d, int but) {
  const auto index = [](const Shape& shape, int axis, const Shape& as) {
    Shape along(std::vector<std::int64_t>(static_cast<std::size_t>(shape.rank()), 1));
    along[shape.rank() - axis] = shape.back(axis);
    return reshape(expand(reshape(arange(shape.back(axis)), along), shape), as);
  };
  Tensor same = ones({d.x.numel(), d.y.numel()}, DType::f64);
  for (int axis = 1; axis <= std::min(d.x.rank(), d.y.rank()); ++axis)
    if (axis != but && d.x.back(axis) == d.y.back(axis))
      same = same * to(equal(index(d.x, axis, {-1, 1}), index(d.y, axis, {1, -1})), DType::f64);
  return same;
}

// "2·input 0·Σ g·the result over axis -1"
std::string in_words(const std::string& number, const std::string& u, const std::string& v, int axis) {
  const auto times = [](const std::string& a, const std::string& b) {
    return a.empty() || b.empty() ? a + b : a + "·" + b;
  };
  const std::string g = times("g", v);
  return number + (axis == 0 ? times(g, u) : times(u, fmt::format("Σ {} over axis {}", g, -axis)));
}

// The table as c·u·Σ g·v at one place, in words: the nearest u is worked out, and then looked for among products
// of two of the forms.
std::optional<std::string> as_sum(const Tensor& table, const std::vector<Factor>& forms,
                                  const std::vector<Factor>& list, const Tensor& place, int axis,
                                  const Derivatives& d) {
  for (const Factor& v : list) {
    if (v.values.size(0) != 1 || (axis == 0 && !v.text.empty())) continue;
    const Tensor at = v.values * place, u = sum(table * at, 1, keepdim) / maximum(sum(square(at), 1, keepdim), 1e-300);
    if (!agree(u * at, table)) continue;
    for (const Factor& one : forms)
      for (const Factor& other : forms) {
        if (&other < &one) continue;
        const auto c = ratio(one.values * other.values * ones(u.shape(), DType::f64), u);
        const auto number = c ? in_front(*c, d) : std::nullopt;
        if (!number) continue;
        const std::string between = one.text.empty() || other.text.empty() ? "" : "·";
        return in_words(*number, one.text + between + other.text, v.text, axis);
      }
  }
  return std::nullopt;
}

// Two sums over different axes, with the same factors: a mean over the wrong one, say.
std::optional<std::string> as_two_sums(const Tensor& table, const std::vector<Factor>& list,
                                       const std::vector<std::pair<int, Tensor>>& places, const Derivatives& d) {
  for (const Factor& u : list)
    for (const Factor& v : list) {
      if (u.values.size(1) != 1 || v.values.size(0) != 1) continue;
      const Tensor product = u.values * v.values, squares = square(product), along = table * product;
      for (std::size_t i = 0; i < places.size(); ++i)
        for (std::size_t j = i + 1; j < places.size(); ++j) {
          // The a and b for which a·A + b·B is nearest to the table, with A and B the products at these places.
          const Tensor &at = places[i].second, &there = places[j].second;
          const double aa = sum(squares * at).item(), bb = sum(squares * there).item();
          const double ab = sum(squares * at * there).item(), det = aa * bb - ab * ab;
          const double ao = sum(along * at).item(), bo = sum(along * there).item();
          const double a = (ao * bb - bo * ab) / det, b = (bo * aa - ao * ab) / det;
          if (!std::isfinite(a) || !agree((a * at + b * there) * product, table)) continue;
          const auto first = in_front(a, d), second = in_front(b, d);
          if (first && second)
            return in_words(*first, u.text, v.text, places[i].first) + " and " +
                   in_words(*second, u.text, v.text, places[j].first);
        }
    }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> as_written(double c, const Shape& input, const Shape& result) {
  const std::string sign = c < 0 ? "−" : "";
  const double size = std::abs(c);
  for (const bool is_root : {false, true}) {
    const char* root = is_root ? "√" : "";
    for (const bool divides : {false, true}) {
      const double whole = std::pow(divides ? 1 / size : size, is_root ? 2 : 1);
      const std::int64_t n = std::llround(whole);
      if (n < 2 || n > 1000000 || !is_close(whole, static_cast<double>(n))) continue;
      const auto axis = axis_of_size(n, input, result);
      if (!axis && n > 12) continue;
      std::string text = fmt::format("{}{}{}{}", sign, divides ? "1/" : "", root, n);
      return axis ? fmt::format("{}, where {} is {}", text, n, *axis) : text;
    }
  }
  for (int under = 2; under <= 12; ++under)
    for (int over = 2; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under)) return fmt::format("{}{}/{}", sign, over, under);
  return std::nullopt;
}

std::optional<Mistake> wrong_factor(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  const std::vector<Factor> list = factors(run, k, d);
  // First without a number in front: with one there are more ways to agree by chance.
  for (const bool may_have_number : {false, true}) {
    const auto number = [&](const Tensor& a, const Tensor& b) -> std::optional<std::string> {
      const auto c = ratio(a, b);
      if (!c || (!may_have_number && std::abs(*c - 1) > 1e-5)) return std::nullopt;
      return in_front(*c, d);
    };
    std::vector<Mistake> found;
    for (const Factor& one : list) {
      if (const auto c = number(d.by_rule * one.values, d.measured))
        found.push_back({Mistake::Kind::missing_factor, fmt::format("the factor {}{} is missing", *c, one.text)});
      if (const auto c = number(d.measured * one.values, d.by_rule))
        found.push_back({Mistake::Kind::extra_factor,
                         fmt::format("there is a factor {}{} too many, or a division by it is missing", *c, one.text)});
    }
    if (found.empty()) continue;
    // If y² is 1/x, both may be meant.
    const auto other = std::ranges::find_if(found, [&](const Mistake& one) { return one.text != found[0].text; });
    if (other != found.end()) found[0].text += "; or " + other->text;
    return found[0];
  }
  for (const Factor& there : list)
    for (const Factor& wanted : list)
      if (wanted.text != there.text && agree(d.by_rule * wanted.values, d.measured * there.values))
        return Mistake{Mistake::Kind::other_factor, fmt::format("{} stands where {} should", there.text, wanted.text)};
  return std::nullopt;
}

std::optional<std::string> missing_sum(const RecordedRun& run, std::size_t k, const Derivatives& d) {
  const Tensor off = d.measured - d.by_rule;
  constexpr std::int64_t enough_to_tell = 3, most_to_try = 100000;  // one or two numbers are fitted by chance
  const double count = sum(greater(abs(off), 1e-6 * largest(off))).item();
  if (count < enough_to_tell || off.numel() > most_to_try) return std::nullopt;
  const std::vector<Factor> one{{"", ones({1, 1}, DType::f64)}}, list = joined(one, factors(run, k, d));
  const std::vector<Factor> of_u =
      joined(joined(one, forms(run, k, d.x, {-1, 1}, true)), forms(run, k, d.x, {-1, 1}, false));
  std::vector<std::pair<int, Tensor>> places{{0, same_place(d, 0)}};
  for (int axis = 1; axis <= std::min(d.x.rank(), d.y.rank()); ++axis)
    if (d.x.back(axis) == d.y.back(axis) && d.x.back(axis) > 1) places.emplace_back(axis, same_place(d, axis));
  for (const auto& [axis, place] : places)
    if (const auto term = as_sum(off, of_u, list, place, axis, d)) {
      const bool is_double = term->starts_with("2·") || term->starts_with("−2·");
      return *term + " has to be added to it" + (is_double ? ": does half of it have the wrong sign there?" : "");
    }
  if (const auto two = as_two_sums(off, list, places, d)) return *two + " has to be added to it";
  for (const auto& [axis, place] : places)
    if (const auto whole = as_sum(d.measured, of_u, list, place, axis, d)) return "it should be " + *whole;
  return std::nullopt;
}

}  // namespace regard::bisecting
