#include "examples/book/site/formula_reader.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>

#include "examples/book/site/formula.h"
#include "examples/book/site/formula_row.h"
#include "examples/book/site/formula_symbols.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_blank(char c) { return std::isspace(static_cast<unsigned char>(c)) != 0; }

}  // namespace

Row FormulaReader::formula(bool display) {
  Row all = row(display ? Style::display : Style::text);
  if (!next().empty()) throw FormulaError(fmt::format("'{}' closes nothing", next()));
  if (all.empty()) throw FormulaError("it is empty");
  return all;
}

std::string_view FormulaReader::next() {
  while (at_ < tex_.size() && is_blank(tex_[at_])) ++at_;
  if (at_ >= tex_.size()) return {};
  std::size_t end = at_ + 1;
  if (tex_[at_] == '\\') {
    if (end >= tex_.size()) throw FormulaError("it ends with a backslash");
    ++end;
    if (is_letter(tex_[at_ + 1]))
      while (end < tex_.size() && is_letter(tex_[end])) ++end;
  }
  return tex_.substr(at_, end - at_);
}

std::string_view FormulaReader::take() {
  const std::string_view token = next();
  at_ += token.size();
  return token;
}

bool FormulaReader::took(std::string_view token) {
  if (next() != token) return false;
  take();
  return true;
}

void FormulaReader::expect(std::string_view token) {
  if (!took(token)) throw FormulaError(fmt::format("a '{}' is missing", token));
}

Row FormulaReader::row(Style style, std::string_view closing) {
  const auto at_end = [&] {
    const std::string_view token = next();
    return token.empty() || token == "}" || token == "&" || token == "\\\\" || token == "\\end" || token == "\\right" ||
           token == closing;
  };
  Row all(style);
  while (!at_end()) {
    Thing one = thing(all);
    if (one.kind == Kind::space) {
      all.space(one.html);
    } else {
      scripts(one);
      all.add(one.kind, one.html);
    }
  }
  return all;
}

std::string FormulaReader::argument(Style style) {
  const std::string_view token = next();
  if (token == "{") return group(style);
  if (token.empty() || token == "}" || token == "^" || token == "_")
    throw FormulaError("something is missing behind a command");
  if (is_digit(token[0])) return fmt::format("<mn>{}</mn>", take());
  Row alone(style);
  alone.add(Kind::ordinary, thing(alone).html);
  return alone.as_one();
}

std::string FormulaReader::group(Style style) {
  expect("{");
  const Row inside = row(style);
  expect("}");
  return inside.as_one();
}

std::string FormulaReader::words() {
  expect("{");
  std::string text;
  for (; at_ < tex_.size() && tex_[at_] != '}'; ++at_) {
    const char c = tex_[at_];
    if (c == '\\' || c == '{' || c == '$') throw FormulaError("only plain words can stand in these braces");
    text += is_blank(c) ? std::string("\u00A0") : escaped(tex_.substr(at_, 1));
  }
  expect("}");
  return text;
}

std::string_view FormulaReader::word_in_braces() {
  if (next() != "{") return {};
  std::size_t end = at_ + 1;
  while (end < tex_.size() && is_letter(tex_[end])) ++end;
  const std::string_view word = tex_.substr(at_ + 1, end - at_ - 1);
  if (end >= tex_.size() || tex_[end] != '}' || (word.size() < 3 && word != "up")) return {};
  at_ = end + 1;
  return word;
}

std::string FormulaReader::number() {
  const std::size_t begin = at_;
  const auto digit = [&](std::size_t i) { return i < tex_.size() && is_digit(tex_[i]); };
  while (digit(at_) || (at_ < tex_.size() && tex_[at_] == '.' && digit(at_ + 1))) ++at_;
  return fmt::format("<mn>{}</mn>", tex_.substr(begin, at_ - begin));
}

FormulaReader::Thing FormulaReader::thing(const Row& before) {
  const std::string_view token = next();
  const char first = token[0];
  if (first == '{') return {Kind::ordinary, group(before.style())};
  if (is_digit(first)) return {Kind::ordinary, number()};
  take();
  if (is_letter(first)) return {Kind::ordinary, fmt::format("<mi>{}</mi>", token)};
  if (first == '\\') return command(std::string(token.substr(1)), before);
  if (static_cast<unsigned char>(first) >= 0x80)
    throw FormulaError("letters that are not ASCII are written as commands, √ as \\sqrt");
  const Symbol* known = symbol_of_character(first);
  if (!known) throw FormulaError(fmt::format("'{}' is not understood here", token));
  return symbol(*known, before);
}

FormulaReader::Thing FormulaReader::symbol(const Symbol& symbol, const Row& before) {
  if (symbol.kind == Kind::space) return {Kind::space, std::string(symbol.text)};
  const Kind kind = before.kind_here(symbol.kind);
  return {kind, element_of(symbol, kind, before.style()), kind == Kind::large};
}

void FormulaReader::scripts(Thing& thing) {
  static constexpr std::string_view primes[] = {"", "′", "″", "‴"};
  std::string above, below;
  std::size_t dashes = 0;
  for (;;) {
    if (took("'")) {
      if (++dashes > 3 || !above.empty()) throw FormulaError("there are too many primes, or behind an exponent");
    } else if (took("^")) {
      if (!above.empty()) throw FormulaError("a second exponent: braces are missing");
      above = argument(Style::script);
    } else if (took("_")) {
      if (!below.empty()) throw FormulaError("a second index: braces are missing");
      const std::string_view word = word_in_braces();
      below = word.empty() ? argument(Style::script) : fmt::format("<mi>{}</mi>", word);
    } else {
      break;
    }
  }
  // Fonts draw a prime small and raised, so it is no exponent.
  if (dashes > 0)
    thing.html = fmt::format(R"(<mrow>{}<mo lspace="0em" rspace="0em">{}</mo></mrow>)", thing.html, primes[dashes]);
  if (above.empty() && below.empty()) return;
  const std::string_view tag = above.empty()   ? (thing.has_bounds ? "munder" : "msub")
                               : below.empty() ? (thing.has_bounds ? "mover" : "msup")
                                               : (thing.has_bounds ? "munderover" : "msubsup");
  thing.html = fmt::format("<{0}>{1}{2}{3}</{0}>", tag, thing.html, below, above);
}

}  // namespace regard::site
