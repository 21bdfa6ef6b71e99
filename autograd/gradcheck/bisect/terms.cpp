#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/mistake.h"
#include "tensor/all.h"

#include <cmath>

namespace regard::bisecting {
namespace {

// What rules are made of most often. Plain forms are first, since they are what is most likely meant.
struct FormKind {
  const char *before, *after;
  Tensor (*of)(const Tensor& x);
};
constexpr FormKind form_kinds[] = {
    {"", "", [](const Tensor& x) { return x; }},
    {"(", ")²", [](const Tensor& x) { return square(x); }},
    {"(1 − ", ")", [](const Tensor& x) { return 1 - x; }},
    {"(1 − (", ")²)", [](const Tensor& x) { return 1 - square(x); }},
    {"1/(", ")", [](const Tensor& x) { return 1 / x; }},
    {"exp(", ")", [](const Tensor& x) { return exp(x); }},
    {"sin(", ")", [](const Tensor& x) { return sin(x); }},
    {"cos(", ")", [](const Tensor& x) { return cos(x); }},
    {"tanh(", ")", [](const Tensor& x) { return tanh(x); }},
    {"sigmoid(", ")", [](const Tensor& x) { return sigmoid(x); }},
    {"(1 − tanh²(", "))", [](const Tensor& x) { return 1 - square(tanh(x)); }},
    {"1/|", "|", [](const Tensor& x) { return x.rank() == 0 ? 1 / abs(x) : rsqrt(sum(square(x), -1, keepdim)); }},
};

// Does a value stand beside the elements of a shape once it is broadcast?
bool is_beside(const Tensor& x, const Shape& shape) {
  for (int axis = 1; axis <= x.rank(); ++axis)
    if (axis > shape.rank() || (x.size(-axis) != 1 && x.size(-axis) != shape.back(axis))) return false;
  return x.dtype() == DType::f64;
}

// A number for each element of a shape, (n, 1), and what it is: "exp(input 1)". The first form is 1, and has no text.
struct Form {
  std::string text;
  Tensor values;
};

// Of the inputs and the result.
std::vector<Form> forms(const Derivatives& d, const Shape& beside) {
  std::vector<Form> plain;
  for (const Variable& input : d.y.node()->inputs)
    plain.push_back({fmt::format("input {}", plain.size()), input.value()});
  plain.push_back({"the result", d.y.value()});
  std::vector<Form> list{{"", ones({beside.numel(), 1}, DType::f64)}};
  for (const FormKind& kind : form_kinds)
    for (const auto& [text, x] : plain)
      if (is_beside(x, beside))
        list.push_back({kind.before + text + kind.after, reshape(expand(kind.of(x), beside), {-1, 1})});
  return list;
}

bool is_close(double a, double b) { return std::abs(a - b) <= tolerance_of_fits * std::abs(b); }

bool vanishes(const Tensor& a, const Tensor& beside) { return largest(a) <= tolerance_of_fits * largest(beside); }

// "a·b", where each may be empty, and a may be "1", "−1" or a sign.
std::string times(const std::string& a, const std::string& b) {
  if (a.empty() || a == "1") return b;
  if (a == "−" || a == "−1") return "−" + b;
  return b.empty() ? a : a + "·" + b;
}

// The numbers u for which each row of a table is u times that of another, and what they are: "2·input 0", or nothing
// for 1.
struct Fit {
  std::string text;
  Tensor u;
};

// By least squares. Names without a number in front are tried first, since with one there are more ways to agree by
// chance. One or two numbers agree with too many products: they are compared with single forms only.
std::optional<Fit> fit(const Tensor& from, const Tensor& to, const std::vector<Form>& forms, const Derivatives& d) {
  const Tensor squares = sum(square(from), 1, keepdim), u = sum(from * to, 1, keepdim) / maximum(squares, 1e-300);
  if (!agree(u * from, to)) return std::nullopt;
  const Tensor counts = greater(squares, 0);
  const bool are_few = sum(counts).item() < 3;
  for (const bool may_have_number : {false, true})
    for (std::size_t i = 0; i < (are_few ? 1 : forms.size()); ++i)
      for (std::size_t j = i; j < forms.size(); ++j) {
        const auto c = ratio(forms[i].values * forms[j].values * counts, u);
        if (!c || (!may_have_number && !is_close(*c, 1))) continue;
        if (const Words number = as_written(*c, d))
          return Fit{times(number->substr(0, number->find(',')), times(forms[i].text, forms[j].text)), u};
      }
  return std::nullopt;
}

// For each derivative the axes along which its two elements stand at different places, of those that x and y share:
// 2 for the last axis, 4 for the one before, 6 for both. A sum over an axis that only one of them has is not told.
Tensor axes_apart(const Derivatives& d) {
  const auto place = [](const Shape& shape, int axis, std::int64_t element) {
    return element / contiguous_strides(shape).back(axis) % shape.back(axis);
  };
  std::vector<double> axes(static_cast<std::size_t>(d.x.numel() * d.y.numel()));
  for (int axis = 1; axis <= std::min(d.x.rank(), d.y.rank()); ++axis)
    for (std::size_t i = 0; d.x.size(-axis) == d.y.size(-axis) && i < axes.size(); ++i) {
      const std::int64_t m = static_cast<std::int64_t>(i) / d.y.numel(), n = static_cast<std::int64_t>(i) % d.y.numel();
      if (place(d.x.shape(), axis, m) != place(d.y.shape(), axis, n)) axes[i] += std::exp2(axis);
    }
  return tensor(axes, d.measured.shape(), DType::f64);
}

// Which axis has so many elements: "the size of axis 0 of the result", or "the number of elements of the input".
Words axis_of_size(double size, const Derivatives& d) {
  for (const auto& [x, name] : {std::pair(d.x, "input"), std::pair(d.y, "result")}) {
    for (int axis = 0; axis < x.rank(); ++axis)
      if (x.size(axis) == size) return fmt::format("the size of axis {} of the {}", axis, name);
    if (x.numel() == size) return fmt::format("the number of elements of the {}", name);
  }
  return std::nullopt;
}

}  // namespace

Words missing_factor(const Derivatives& d) {
  auto found = fit(d.by_rule, d.measured, forms(d, d.x.shape()), d);
  if (!found) found = fit(transpose(d.by_rule), transpose(d.measured), forms(d, d.y.shape()), d);
  return found ? Words(found->text) : std::nullopt;
}

// Each sum is read off where no other one reaches: between elements that differ along its axis. What it says for the
// others is then taken away, and what is left is a term without a sum.
Words sum_of_terms(const Derivatives& d, const Tensor& table) {
  const std::vector<Form> beside_x = forms(d, d.x.shape()), beside_y = forms(d, d.y.shape());
  Tensor left = table;
  std::vector<std::string> terms;
  // Is it c·u·(Σ g·v)? Read off where elements are apart, the sum reaches `own` place as well.
  const Tensor axes = axes_apart(d), own = equal(axes, 0);
  const auto takes_away = [&](const Form& v, const Tensor& apart, const std::string& sum) {
    const Tensor row = transpose(v.values);
    const auto found = fit(row * apart, left * apart, beside_x, d);
    if (!found) return false;
    left = left - found->u * row * maximum(apart, own);
    terms.push_back(times(found->text, sum));
    return true;
  };
  for (int axis = 1; axis <= d.x.rank(); ++axis) {
    const Tensor apart = equal(axes, std::exp2(axis));
    if (vanishes(left * apart, table)) continue;
    const auto is_it = [&](const Form& v) {
      return takes_away(v, apart, fmt::format("Σ {} over axis {}", times("g", v.text), -axis));
    };
    if (std::ranges::none_of(beside_y, is_it)) return std::nullopt;
  }
  if (!vanishes(left * own, table) && !takes_away(beside_y[0], own, "g")) return std::nullopt;
  return vanishes(left, table) ? Words(join_words(terms, " and ")) : std::nullopt;
}

Words as_written(double c, const Derivatives& d) {
  const std::string sign = c < 0 ? "−" : "";
  const double size = std::abs(c);
  const auto of_an_axis = [&](const char* root, double whole) -> Words {
    const double n = std::round(std::max(whole, 1 / whole));
    const Words axis = n >= 2 && is_close(std::max(whole, 1 / whole), n) ? axis_of_size(n, d) : std::nullopt;
    if (!axis) return std::nullopt;
    return fmt::format("{}{}{}{}, where {} is {}", sign, whole < 1 ? "1/" : "", root, n, n, *axis);
  };
  if (const Words text = of_an_axis("", size)) return text;
  for (int under = 1; under <= 12; ++under)
    for (int over = 1; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under))
        return fmt::format("{}{}{}", sign, over, under == 1 ? "" : fmt::format("/{}", under));
  return of_an_axis("√", size * size);
}

}  // namespace regard::bisecting
