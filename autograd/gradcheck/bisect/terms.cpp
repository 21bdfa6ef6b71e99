#include "autograd/gradcheck/bisect/terms.h"

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

using Words = std::optional<std::string>;

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
bool is_beside(const Tensor& value, const Shape& shape) {
  try {
    return value.dtype() == DType::f64 && broadcast("bisect", value.shape(), shape) == shape;
  } catch (const ShapeError&) {
    return false;
  }
}

// A number for each element of a shape, (n, 1), and what it is: "exp(input 1)". The first form is 1, and has no text.
struct Form {
  std::string text;
  Tensor values;
};

std::vector<Form> forms(const RecordedRun& run, std::size_t operation, const Shape& beside) {
  std::vector<Form> plain;
  for (const Variable& input : run.node(operation).inputs)
    plain.push_back({fmt::format("input {}", plain.size()), input.value()});
  plain.push_back({"the result", run.value(operation).value()});
  std::erase_if(plain, [&](const Form& form) { return !is_beside(form.values, beside); });
  std::vector<Form> list{{"", ones({beside.numel(), 1}, DType::f64)}};
  for (const FormKind& kind : form_kinds)
    for (const auto& [text, x] : plain)
      list.push_back({kind.before + text + kind.after, reshape(expand(kind.of(x), beside), {-1, 1})});
  return list;
}

bool is_close(double a, double b) { return std::abs(a - b) <= tolerance_of_fits * std::abs(b); }

bool vanishes(const Tensor& a, const Tensor& beside) { return largest(a) <= tolerance_of_fits * largest(beside); }

std::string before(const std::string& factor) { return factor.empty() ? "" : factor + "·"; }

// "2·", or nothing for 1.
Words in_front(double c, const Derivatives& d) {
  if (is_close(c, 1)) return "";
  if (is_close(c, -1)) return "−";
  const Words written = as_written(c, d);
  return written ? Words(before(written->substr(0, written->find(',')))) : std::nullopt;
}

// The numbers u for which each row of a table is u times that of another, and what they are: "2·input 0·" as it stands
// before a factor, and nothing for 1.
struct Fit {
  std::string before;
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
        if (const Words number = in_front(*c, d))
          return Fit{*number + before(forms[i].text) + before(forms[j].text), u};
      }
  return std::nullopt;
}

// Where each element stands along an axis, counted from the last one.
Tensor indexes_along(const Shape& shape, int axis) {
  Shape column(std::vector<std::int64_t>(static_cast<std::size_t>(axis), 1));
  column[0] = shape.back(axis);
  return flatten(expand(reshape(arange(shape.back(axis)), column), shape));
}

bool is_shared(int axis, const Derivatives& d) {
  return axis <= std::min(d.x.rank(), d.y.rank()) && d.x.back(axis) == d.y.back(axis);
}

// 1 for derivatives between elements that have the same index along all axes that x and y share, counted from the last
// one, but for axis −`but` (0: for none). A sum over an axis that only one of them has is not told: no other is
// possible.
Tensor same_place(const Derivatives& d, int but) {
  Tensor same = ones({d.x.numel(), d.y.numel()}, DType::f64);
  for (int axis = 1; axis <= d.x.rank(); ++axis)
    if (axis != but && is_shared(axis, d))
      same = same * to(equal(unsqueeze(indexes_along(d.x, axis), 1), indexes_along(d.y, axis)), DType::f64);
  return same;
}

// Which axis has so many elements: "the size of axis 0 of the result", or "the number of elements of the input".
Words axis_of_size(std::int64_t size, const Derivatives& d) {
  for (const auto& [shape, name] : {std::pair(d.x, "input"), std::pair(d.y, "result")}) {
    for (int axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis] == size) return fmt::format("the size of axis {} of the {}", axis, name);
    if (shape.numel() == size) return fmt::format("the number of elements of the {}", name);
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> missing_factor(const RecordedRun& run, std::size_t operation, const Derivatives& d) {
  auto found = fit(d.by_rule, d.measured, forms(run, operation, d.x), d);
  if (!found) found = fit(transpose(d.by_rule), transpose(d.measured), forms(run, operation, d.y), d);
  if (!found) return std::nullopt;
  return found->before.substr(0, found->before.rfind("·"));
}

// Each sum is read off where no other one reaches: between elements that differ along its axis. What it says for the
// others is then taken away, and what is left is a term without a sum.
std::optional<std::string> sum_of_terms(const RecordedRun& run, std::size_t operation, const Derivatives& d,
                                        const Tensor& table) {
  const std::vector<Form> beside_x = forms(run, operation, d.x), beside_y = forms(run, operation, d.y);
  Tensor left = table;
  std::vector<std::string> terms;
  // Is it c·u·(Σ g·v)? Read off `apart`, the sum reaches all of `place`.
  const auto takes_away = [&](const Form& v, const Tensor& place, const Tensor& apart, const std::string& sum) {
    const Tensor row = transpose(v.values);
    const auto found = fit(row * apart, left * apart, beside_x, d);
    if (!found) return false;
    left = left - found->u * row * place;
    terms.push_back(found->before + sum);
    return true;
  };
  const Tensor own = same_place(d, 0);
  for (int axis = 1; axis <= d.x.rank(); ++axis) {
    const Tensor place = same_place(d, axis), apart = place - own;
    if (!is_shared(axis, d) || vanishes(left * apart, table)) continue;
    const auto is_it = [&](const Form& v) {
      return takes_away(v, place, apart, fmt::format("Σ g{} over axis {}", v.text.empty() ? "" : "·" + v.text, -axis));
    };
    if (std::ranges::none_of(beside_y, is_it)) return std::nullopt;
  }
  if (!vanishes(left * own, table) && !takes_away(beside_y[0], own, own, "g")) return std::nullopt;
  return vanishes(left, table) ? Words(join_words(terms, " and ")) : std::nullopt;
}

std::optional<std::string> as_written(double c, const Derivatives& d) {
  const std::string sign = c < 0 ? "−" : "";
  const double size = std::abs(c);
  const auto of_an_axis = [&](const char* root, int power) -> Words {
    for (const bool divides : {false, true}) {
      const double whole = std::pow(divides ? 1 / size : size, power);
      const std::int64_t n = whole < 1e6 ? std::llround(whole) : 0;
      const Words axis = n >= 2 && is_close(whole, static_cast<double>(n)) ? axis_of_size(n, d) : std::nullopt;
      if (axis) return fmt::format("{}{}{}{}, where {} is {}", sign, divides ? "1/" : "", root, n, n, *axis);
    }
    return std::nullopt;
  };
  if (const Words text = of_an_axis("", 1)) return text;
  for (int under = 1; under <= 12; ++under)
    for (int over = 1; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under))
        return fmt::format("{}{}{}", sign, over, under == 1 ? "" : fmt::format("/{}", under));
  return of_an_axis("√", 2);
}

}  // namespace regard::bisecting
