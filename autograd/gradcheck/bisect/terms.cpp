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

bool is_close(double a, double b) { return std::abs(a - b) <= tolerance_of_fits * std::abs(b); }

// Which axis has so many elements: "the size of axis 0 of the result", or "the number of elements of the input".
std::optional<std::string> axis_of_size(std::int64_t size, const Derivatives& d) {
  for (const auto& [shape, name] : {std::pair(d.x, "input"), std::pair(d.y, "result")}) {
    for (int axis = 0; axis < shape.rank(); ++axis)
      if (shape[axis] == size) return fmt::format("the size of axis {} of the {}", axis, name);
    if (shape.numel() == size) return fmt::format("the number of elements of the {}", name);
  }
  return std::nullopt;
}

// Does a value stand beside the elements of a shape once it is broadcast?
bool is_beside(const Tensor& value, const Shape& shape) {
  try {
    return value.dtype() == DType::f64 && broadcast("bisect", value.shape(), shape) == shape;
  } catch (const ShapeError&) {
    return false;
  }
}

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

std::vector<Form> forms(const RecordedRun& run, std::size_t k, const Shape& beside) {
  const graph::Inputs& inputs = run.node(k).inputs;
  std::vector<Form> list{{"", ones({beside.numel(), 1}, DType::f64)}};
  for (const FormKind& kind : form_kinds)
    for (std::size_t i = 0; i <= inputs.size(); ++i) {
      const bool is_input = i < inputs.size();
      const Tensor& x = is_input ? inputs[i].value() : run.result(k).value();
      const std::string name = is_input ? fmt::format("input {}", i) : "the result";
      if (is_beside(x, beside))
        list.push_back({kind.before + name + kind.after, reshape(expand(kind.of(x), beside), {-1, 1})});
    }
  return list;
}

std::string before(const std::string& factor) { return factor.empty() ? "" : factor + "·"; }

// "g", "2·input 0·g", or "−Σ g·the result over axis -1"
std::string in_words(const std::string& factors, const std::string& v, int axis) {
  const std::string g = v.empty() ? "g" : "g·" + v;
  return factors + (axis == 0 ? g : fmt::format("Σ {} over axis {}", g, -axis));
}

bool vanishes(const Tensor& a, const Tensor& beside) { return largest(a) <= tolerance_of_fits * largest(beside); }

}  // namespace

Terms::Terms(const RecordedRun& run, std::size_t k, const Derivatives& d)
    : d_(d), beside_x_(forms(run, k, d.x)), beside_y_(forms(run, k, d.y)) {}

// "2·", or nothing for 1.
std::optional<std::string> Terms::in_front(double c) const {
  if (is_close(c, 1)) return "";
  if (is_close(c, -1)) return "−";
  const auto written = as_written(c, d_);
  if (!written) return std::nullopt;
  return before(written->substr(0, written->find(',')));
}

// First without a number in front, since with one there are more ways to agree by chance. One or two numbers agree with
// too many products: they are compared with single forms only.
std::optional<std::string> Terms::named(const Tensor& u, const Tensor& counts, const std::vector<Form>& forms) const {
  const bool are_few = sum(counts).item() < 3;
  for (const bool may_have_number : {false, true})
    for (std::size_t i = 0; i < (are_few ? 1 : forms.size()); ++i)
      for (std::size_t j = i; j < forms.size(); ++j) {
        const auto c = ratio(forms[i].values * forms[j].values * counts, u);
        if (!c || (!may_have_number && !is_close(*c, 1))) continue;
        if (const auto number = in_front(*c)) return *number + before(forms[i].text) + before(forms[j].text);
      }
  return std::nullopt;
}

// The u for which each row of `to` is u times that of `from`, by least squares.
std::optional<Terms::Fit> Terms::multiplier(const Tensor& from, const Tensor& to,
                                            const std::vector<Form>& forms) const {
  const Tensor squares = sum(square(from), 1, keepdim), u = sum(from * to, 1, keepdim) / maximum(squares, 1e-300);
  if (!agree(u * from, to)) return std::nullopt;
  const auto name = named(u, greater(squares, 0), forms);
  return name ? std::optional(Fit{*name, u}) : std::nullopt;
}

std::optional<std::string> Terms::missing_factor() const {
  auto found = multiplier(d_.by_rule, d_.measured, beside_x_);
  if (!found) found = multiplier(transpose(d_.by_rule), transpose(d_.measured), beside_y_);
  if (!found) return std::nullopt;
  return found->before.substr(0, found->before.rfind("·"));
}

// 1 for derivatives between elements that have the same index along all axes that x and y share, counted from the last
// one, but for axis −`but` (0: for none). A sum over an axis that only one of them has is not told: no other is
// possible.
Tensor Terms::same_place(int but) const {
  const auto index = [](const Shape& shape, int axis, const Shape& as) {
    Shape along(std::vector<std::int64_t>(static_cast<std::size_t>(shape.rank()), 1));
    along[shape.rank() - axis] = shape.back(axis);
    return reshape(expand(reshape(arange(shape.back(axis)), along), shape), as);
  };
  Tensor same = ones({d_.x.numel(), d_.y.numel()}, DType::f64);
  for (int axis = 1; axis <= std::min(d_.x.rank(), d_.y.rank()); ++axis)
    if (axis != but && d_.x.back(axis) == d_.y.back(axis))
      same = same * to(equal(index(d_.x, axis, {-1, 1}), index(d_.y, axis, {1, -1})), DType::f64);
  return same;
}

// Each sum is read off where no other one reaches: between elements that differ along its axis. What it says for the
// others is then taken away, and what is left is a term without a sum.
std::optional<std::string> Terms::sum_of_terms(const Tensor& table) const {
  Tensor left = table;
  std::vector<std::string> terms;
  const Tensor own = same_place(0);
  const int axes = std::min(d_.x.rank(), d_.y.rank());
  for (int i = 1; i <= axes + 1; ++i) {
    const int axis = i <= axes ? i : 0;
    if (axis > 0 && d_.x.back(axis) != d_.y.back(axis)) continue;
    const Tensor place = same_place(axis), apart = axis > 0 ? place - own : place, here = left * apart;
    if (vanishes(here, table)) continue;
    std::optional<Fit> found;
    for (const Form& v : beside_y_) {
      if (found || (axis == 0 && !v.text.empty())) break;
      const Tensor row = transpose(v.values);
      if (!(found = multiplier(row * apart, here, beside_x_))) continue;
      left = left - found->u * row * place;
      terms.push_back(in_words(found->before, v.text, axis));
    }
    if (!found) return std::nullopt;
  }
  return vanishes(left, table) ? std::optional(join_words(terms, " and ")) : std::nullopt;
}

std::optional<std::string> as_written(double c, const Derivatives& d) {
  const std::string sign = c < 0 ? "−" : "";
  const double size = std::abs(c);
  const auto of_an_axis = [&](const char* root, int power) -> std::optional<std::string> {
    for (const bool divides : {false, true}) {
      const double whole = std::pow(divides ? 1 / size : size, power);
      const std::int64_t n = whole < 1e6 ? std::llround(whole) : 0;
      const auto axis = n >= 2 && is_close(whole, static_cast<double>(n)) ? axis_of_size(n, d) : std::nullopt;
      if (axis) return fmt::format("{}{}{}{}, where {} is {}", sign, divides ? "1/" : "", root, n, n, *axis);
    }
    return std::nullopt;
  };
  if (const auto text = of_an_axis("", 1)) return text;
  for (int under = 1; under <= 12; ++under)
    for (int over = 1; over <= 12; ++over)
      if (is_close(size, static_cast<double>(over) / under))
        return fmt::format("{}{}{}", sign, over, under == 1 ? "" : fmt::format("/{}", under));
  return of_an_axis("√", 2);
}

}  // namespace regard::bisecting
