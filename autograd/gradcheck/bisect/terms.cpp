#include "autograd/elements.h"
#include "autograd/gradcheck/bisect/mistake.h"
#include "tensor/all.h"

#include <cmath>

namespace regard::bisecting {
namespace {

// What rules are made of most often. Plain forms are first, since they are what is most likely meant.
constexpr std::pair<const char*, Tensor (*)(const Tensor& x)> form_kinds[] = {
    {"{}", [](const Tensor& x) { return x; }},
    {"({})²", [](const Tensor& x) { return square(x); }},
    {"(1 − {})", [](const Tensor& x) { return 1 - x; }},
    {"(1 − ({})²)", [](const Tensor& x) { return 1 - square(x); }},
    {"1/({})", [](const Tensor& x) { return 1 / x; }},
    {"exp({})", [](const Tensor& x) { return exp(x); }},
    {"sin({})", [](const Tensor& x) { return sin(x); }},
    {"cos({})", [](const Tensor& x) { return cos(x); }},
    {"tanh({})", [](const Tensor& x) { return tanh(x); }},
    {"sigmoid({})", [](const Tensor& x) { return sigmoid(x); }},
    {"(1 − tanh²({}))", [](const Tensor& x) { return 1 - square(tanh(x)); }},
    {"1/|{}|", [](const Tensor& x) { return x.rank() == 0 ? 1 / abs(x) : rsqrt(sum(square(x), -1, keepdim)); }},
};

// Does a value stand beside the elements of a shape once it is broadcast?
bool is_beside(const Tensor& x, const Shape& shape) {
  for (int axis = 1; axis <= x.rank(); ++axis)
    if (axis > shape.rank() || (x.size(-axis) != 1 && x.size(-axis) != shape.back(axis))) return false;
  return x.dtype() == DType::f64;
}

// A number for each element of a shape, (n, 1), and what it is: "exp(input 1)", or nothing for 1.
struct Form {
  std::string text;
  Tensor values;
};

// 1, and forms of the inputs and of the result.
std::vector<Form> forms(const Derivatives& d, const Shape& beside) {
  std::vector<Form> plain;
  for (const Variable& input : d.y.node()->inputs)
    plain.push_back({fmt::format("input {}", plain.size()), input.value()});
  plain.push_back({"the result", d.y.value()});
  std::vector<Form> list{{"", ones({beside.numel(), 1}, DType::f64)}};
  for (const auto& [text, of] : form_kinds)
    for (const Form& one : plain)
      if (is_beside(one.values, beside))
        list.push_back({fmt::format(fmt::runtime(text), one.text), reshape(expand(of(one.values), beside), {-1, 1})});
  return list;
}

bool is_close(double a, double b) { return std::abs(a - b) <= tolerance_of_fits * std::abs(b); }

// "a·b", where each may be empty, and a may be "1", "−1" or a sign.
std::string times(const std::string& a, const std::string& b) {
  if (a.empty() || a == "1") return b;
  if (a == "−" || a == "−1") return "−" + b;
  return b.empty() ? a : a + "·" + b;
}

// The numbers u, by least squares, and what they are: "2·input 0". Names without a number in front are tried first,
// since with one there are more ways to agree by chance. One or two numbers agree with too many products: they are
// compared with single forms only.
std::optional<Form> fit(const Tensor& from, const Tensor& to, const std::vector<Form>& forms, const Derivatives& d) {
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
          return Form{times(number->substr(0, number->find(',')), times(forms[i].text, forms[j].text)), u};
      }
  return std::nullopt;
}

// For each derivative the axes along which its two elements stand at different places, of those that x and y share:
// 2 for the last axis, 4 for the one before, 6 for both. A sum over an axis that only one of them has is not told.
Tensor axes_apart(const Derivatives& d) {
  Tensor axes = zeros(d.measured.shape(), DType::f64);
  for (int axis = 1; axis <= std::min(d.x.rank(), d.y.rank()); ++axis) {
    const std::int64_t size = d.x.size(-axis);
    if (d.y.size(-axis) != size) continue;
    const auto places = [&](const Variable& x) { return spread_index(x.value(), -axis, arange(size, DType::f64)); };
    const Tensor are_apart = not_equal(reshape(places(d.x), {-1, 1}), flatten(places(d.y)));
    axes = axes + std::exp2(axis) * are_apart;
  }
  return axes;
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
  const Tensor axes = axes_apart(d), own = equal(axes, 0);
  Tensor left = table;
  std::vector<std::string> terms;
  for (int axis = 1; axis <= d.x.rank() + 1; ++axis) {
    const bool is_sum = axis <= d.x.rank();
    const Tensor apart = is_sum ? equal(axes, std::exp2(axis)) : own;
    if (largest(left * apart) <= tolerance_of_fits * largest(table)) continue;
    // Is it c·u·(Σ g·v)? Read off where elements are apart, the sum reaches `own` place as well.
    const auto takes_away = [&](const Form& v) {
      const Tensor row = transpose(v.values);
      const auto found = fit(row * apart, left * apart, beside_x, d);
      if (!found) return false;
      left = left - found->values * row * maximum(apart, own);
      const std::string g = times("g", v.text);
      terms.push_back(times(found->text, is_sum ? fmt::format("Σ {} over axis {}", g, -axis) : g));
      return true;
    };
    if (!std::ranges::any_of(is_sum ? beside_y : std::vector{beside_y[0]}, takes_away)) return std::nullopt;
  }
  if (largest(left) > tolerance_of_fits * largest(table)) return std::nullopt;
  return join_words(terms, " and ");
}

Words as_written(double c, const Derivatives& d) {
  const std::string sign = c < 0 ? "−" : "";
  const double size = std::abs(c);
  const auto of_an_axis = [&](const char* root, double whole) -> Words {
    for (const auto& [x, name] : {std::pair(d.x, "input"), std::pair(d.y, "result")})
      for (int axis = 0; axis <= x.rank(); ++axis) {
        const std::int64_t n = axis < x.rank() ? x.size(axis) : x.numel();
        if (n < 2 || !is_close(std::max(whole, 1 / whole), static_cast<double>(n))) continue;
        const std::string what = axis < x.rank() ? fmt::format("size of axis {}", axis) : "number of elements";
        const char* guess = whole < 1 && *root == 0 ? ": a mean instead of a sum?" : "";
        return fmt::format("{}{}{}{}, where {} is the {} of the {}{}", sign, whole < 1 ? "1/" : "", root, n, n, what,
                           name, guess);
      }
    return std::nullopt;
  };
  if (const Words text = of_an_axis("", size)) return text;
  for (int under = 1; under <= 12; ++under)
    for (int over = 1; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under))
        return fmt::format("{}{}{}", sign, over, under == 1 ? "" : fmt::format("/{}", under));
  return of_an_axis("√", size * size);
}

}  // namespace regard::bisecting
