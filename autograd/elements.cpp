#include "autograd/elements.h"

#include "autograd/record.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <cmath>
#include <string_view>
#include <vector>

namespace regard {
namespace {

std::string in_brackets(double y) { return y < 0 ? fmt::format("({:.4g})", y) : fmt::format("{:.4g}", y); }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

// Is this a letter that is no part of a word?
bool stands_alone(const std::string& text, std::size_t i) {
  const auto letter_at = [&](std::size_t at) { return at < text.size() && is_letter(text[at]); };
  return letter_at(i) && !(i > 0 && letter_at(i - 1)) && !letter_at(i + 1);
}

// The text with a number wherever the symbol stands alone: the x of "max(x, 0)" inside the brackets, not before them.
std::string with_number(const std::string& text, char symbol, double y) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i)
    result += text[i] == symbol && stands_alone(text, i) ? in_brackets(y) : std::string(1, text[i]);
  return result;
}

// That stands for no number of this run, such as a constant of c·x + d. The letter e is 2.718….
bool has_lone_letter(const std::string& text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] != 'e' && stands_alone(text, i)) return true;
  return false;
}

std::string replaced(std::string text, std::string_view what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace

double element_of(const Tensor& x, std::int64_t element) { return slice(flatten(x), 0, element, element + 1).item(); }

Tensor only(const Tensor& like, std::int64_t element, double y) {
  std::vector<double> values(static_cast<std::size_t>(like.numel()), 0.0);
  values[static_cast<std::size_t>(element)] = y;
  return tensor(values, like.shape(), like.dtype());
}

Tensor shares_of(const Tensor& gradient, const Tensor& tangent) {
  return where(not_equal(tangent, 0), gradient * tangent, 0);
}

std::int64_t largest_of(const Tensor& x) { return static_cast<std::int64_t>(argmax(flatten(abs(x)), 0).item()); }

double sum_of_squares(const Tensor& x) { return sum(square(to(x, DType::f64))).item(); }
double length_of(const Tensor& x) { return std::sqrt(sum_of_squares(x)); }

double largest(const Tensor& x) { return x.numel() == 0 ? 0 : max(abs(x)).item(); }

bool is_larger(double a, double b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && !std::isnan(b);
  return std::abs(a) > std::abs(b);
}

std::string formula_with_numbers(const Variable& x, std::int64_t element) {
  const graph::Node* node = x.node();
  if (!node || node->op.facts.made_of != MadeOf::element) return "";
  std::string text = node->op.formula;
  const auto value_of = [&](std::size_t i) { return element_of(expand(node->inputs[i].value(), x.shape()), element); };
  if (node->inputs.size() == 1) {
    const double only_one = value_of(0);
    text = replaced(replaced(text, "⁻ˣ", fmt::format("^{}", in_brackets(-only_one))), "ˣ",
                    fmt::format("^{}", in_brackets(only_one)));
    text = with_number(text, 'x', only_one);
  } else {
    text = replaced(text, "ᵇ", fmt::format("^{}", in_brackets(value_of(1))));
    text = with_number(with_number(text, 'a', value_of(0)), 'b', value_of(1));
  }
  if (has_lone_letter(text)) return "";
  return fmt::format("{} = {:.4g}", text, element_of(x.value(), element));
}

}  // namespace regard
