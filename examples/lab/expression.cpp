#include "examples/lab/expression.h"

#include "autograd/ops/arithmetic.h"
#include "autograd/ops/pointwise.h"
#include "tensor/create.h"
#include "tensor/error.h"

#include <cstdlib>
#include <map>
#include <optional>

namespace regard::lab {
namespace {

using Function = Variable (*)(const Variable&);
const std::map<std::string, Function, std::less<>>& functions() {
  static const std::map<std::string, Function, std::less<>> all{
      {"abs", [](const Variable& x) { return abs(x); }},   {"cos", [](const Variable& x) { return cos(x); }},
      {"exp", [](const Variable& x) { return exp(x); }},   {"log", [](const Variable& x) { return log(x); }},
      {"sin", [](const Variable& x) { return sin(x); }},   {"sigmoid", [](const Variable& x) { return sigmoid(x); }},
      {"sqrt", [](const Variable& x) { return sqrt(x); }}, {"tanh", [](const Variable& x) { return tanh(x); }}};
  return all;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

constexpr std::size_t longest = 200, deepest = 40;

class Parser {
 public:
  Parser(std::string_view text, const std::vector<std::string>& names) : text_(text), names_(names) {
    if (text.size() > longest) fail<ValueError>("score: it has {} characters, and may have {}", text.size(), longest);
  }

  std::vector<Expression::Part> parse() {
    sum();
    if (peek() != '\0') refuse("an operation, + - * / ^, or the end");
    return std::move(parts_);
  }

 private:
  char peek() {
    while (place_ < text_.size() && text_[place_] == ' ') ++place_;
    return place_ < text_.size() ? text_[place_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++place_;
    return true;
  }
  [[noreturn]] void refuse(const char* wanted) {
    const std::string found = peek() == '\0' ? "the end" : "\"" + std::string(text_.substr(place_, 12)) + "\"";
    fail<ValueError>("score: character {} should be {}, and is {}", place_ + 1, wanted, found);
  }

  std::size_t add(std::string text, std::vector<std::size_t> parts = {}, double number = 0) {
    parts_.push_back({std::move(text), std::move(parts), number});
    return parts_.size() - 1;
  }

  std::size_t sum() {
    if (++depth_ > deepest) fail<ValueError>("score: brackets are nested more than {} deep", deepest);
    std::size_t left = product();
    for (char c = peek(); c == '+' || c == '-'; c = peek()) {
      ++place_;
      const std::size_t right = product();
      left = add(std::string(1, c), {left, right});
    }
    --depth_;
    return left;
  }
  std::size_t product() {
    std::size_t left = with_sign();
    for (char c = peek(); c == '*' || c == '/'; c = peek()) {
      ++place_;
      const std::size_t right = with_sign();
      left = add(std::string(1, c), {left, right});
    }
    return left;
  }
  std::size_t with_sign() {
    if (!take('-')) return power();
    const std::size_t inner = power();
    return add("neg", {inner});
  }
  std::size_t power() {
    const std::size_t base = atom();
    if (!take('^')) return base;
    const bool negative = take('-');
    if (!is_digit(peek())) refuse("a number, the exponent");
    const double exponent = number();
    return add("^", {base}, negative ? -exponent : exponent);
  }
  double number() {
    const std::size_t begin = place_;
    while (place_ < text_.size() && (is_digit(text_[place_]) || text_[place_] == '.')) ++place_;
    const std::string digits(text_.substr(begin, place_ - begin));
    char* end = nullptr;
    const double value = std::strtod(digits.c_str(), &end);
    if (*end != '\0') fail<ValueError>("score: \"{}\" at character {} is no number", digits, begin + 1);
    return value;
  }
  std::size_t atom() {
    const char c = peek();
    if (is_digit(c) || c == '.') {
      const std::size_t begin = place_;
      const double value = number();
      return add(std::string(text_.substr(begin, place_ - begin)), {}, value);
    }
    if (take('(')) return closed(sum());
    if (!is_letter(c)) refuse("a number, a name, a function or (");
    const std::size_t begin = place_;
    while (place_ < text_.size() && is_letter(text_[place_])) ++place_;
    const std::string word(text_.substr(begin, place_ - begin));
    if (functions().contains(word)) {
      if (!take('(')) refuse("( behind the name of a function");
      return add(word, {closed(sum())});
    }
    for (const std::string& name : names_)
      if (name == word) return add(word);
    std::string known;
    for (const std::string& name : names_) known += name + " ";
    for (const auto& [name, _] : functions()) known += name + " ";
    fail<ValueError>("score: \"{}\" at character {} is unknown; known are {}", word, begin + 1, known);
  }
  std::size_t closed(std::size_t inner) {
    if (!take(')')) refuse(")");
    return inner;
  }

  std::string_view text_;
  const std::vector<std::string>& names_;
  std::size_t place_ = 0, depth_ = 0;
  std::vector<Expression::Part> parts_;
};

}  // namespace

Expression::Expression(std::string_view text, const std::vector<std::string>& names)
    : parts_(Parser(text, names).parse()) {}

bool Expression::uses(std::string_view name) const {
  for (const Part& part : parts_)
    if (part.text == name) return true;
  return false;
}

std::vector<Variable> Expression::values(const std::vector<Named>& names) const {
  std::vector<Variable> all;
  const auto value_of = [&](const Part& part) -> Variable {
    const auto operand = [&](std::size_t i) { return all[part.parts[i]]; };
    if (part.text == "+") return operand(0) + operand(1);
    if (part.text == "-") return operand(0) - operand(1);
    if (part.text == "*") return operand(0) * operand(1);
    if (part.text == "/") return operand(0) / operand(1);
    if (part.text == "neg") return -operand(0);
    if (part.text == "^") return pow(operand(0), part.number);
    if (const auto found = functions().find(part.text); found != functions().end()) return found->second(operand(0));
    for (const Named& one : names)
      if (one.name == part.text) return one.value;
    return full({}, part.number, names.front().value.dtype());
  };
  for (const Part& part : parts_) all.push_back(value_of(part));
  return all;
}

}  // namespace regard::lab
