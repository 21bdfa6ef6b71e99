#pragma once

#include <fmt/core.h>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace regard {

// Everything this library throws derives from Error. A message has one form: the operation, the whole shapes,
// the rule that was broken and, where there is one, the likely remedy:
//   matmul: (2, 3, 4) × (2, 5, 6): the inner dimensions 4 and 5 differ (did you mean transpose(b)?)
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

struct ShapeError : Error {  // sizes or axes that do not fit
  using Error::Error;
};

struct DTypeError : Error {  // element types that do not fit
  using Error::Error;
};

struct ValueError : Error {  // an argument outside its domain
  using Error::Error;
};

struct IoError : Error {  // files: missing, malformed, not writable
  using Error::Error;
};

// fail<ShapeError>("matmul: {} × {}: …", a, b) formats and throws.
template <class Kind, class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Kind(fmt::vformat(format, fmt::make_format_args(args...)));
}

// For messages: the words with a separator in between, and numbers as "2, 3, 4".
std::string join_words(const std::vector<std::string>& words, std::string_view separator);

// How many letters a text in UTF-8 has, which is how many columns it takes in a terminal.
std::size_t letter_count(std::string_view text);
// The text, or, if it has more letters, as many of them as asked for, the last of which is "…".
std::string cut_short(std::string_view text, std::size_t letters);

template <class Numbers>
std::string comma_separated(const Numbers& numbers) {
  std::string text;
  for (const auto number : numbers) {
    if (!text.empty()) text += ", ";
    text += std::to_string(number);
  }
  return text;
}

// The base of the formatters of our types, which print as "{}", with no width or other specification. They do not build
// on those of fmt, which would be compiled again in every file that prints a shape.
struct PlainFormatter {
  constexpr fmt::format_parse_context::iterator parse(fmt::format_parse_context& context) {
    if (context.begin() != context.end() && *context.begin() != '}') refuse();
    return context.begin();
  }

 protected:
  [[noreturn]] static void refuse();
  static fmt::format_context::iterator write(std::string_view text, fmt::format_context& context);
};

// The formatter of a type that has to_string, as a member or beside it.
template <class X>
struct TextFormatter : PlainFormatter {
  fmt::format_context::iterator format(const X& x, fmt::format_context& context) const {
    if constexpr (requires { x.to_string(); })
      return write(x.to_string(), context);
    else
      return write(to_string(x), context);
  }
};

}  // namespace regard
