// The commands of TeX that take something: fractions, roots, brackets, matrices …

#include <fmt/format.h>

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "examples/book/site/formula.h"
#include "examples/book/site/formula_reader.h"
#include "examples/book/site/formula_row.h"
#include "examples/book/site/formula_symbols.h"

namespace regard::site {

namespace {

using Names = std::map<std::string, std::string, std::less<>>;

std::string stretched_bracket(std::string_view form, std::string_view text) {
  if (text.empty()) return "";
  return fmt::format(R"(<mo form="{}" stretchy="true" lspace="0em" rspace="0em">{}</mo>)", form, text);
}

// In brackets as high as what is inside.
std::string between(std::string_view opening, std::string_view inside, std::string_view closing) {
  return fmt::format("<mrow>{}{}{}</mrow>", stretched_bracket("prefix", opening), inside,
                     stretched_bracket("postfix", closing));
}

}  // namespace

FormulaReader::Thing FormulaReader::command(const std::string& name, const Row& before) {
  using Member = Thing (FormulaReader::*)(const std::string&, const Row&);
  static const std::map<std::string, Member, std::less<>> members = {
      {"frac", &FormulaReader::fraction},      {"tfrac", &FormulaReader::fraction},
      {"sqrt", &FormulaReader::root},          {"text", &FormulaReader::upright},
      {"mathrm", &FormulaReader::upright},     {"operatorname", &FormulaReader::upright},
      {"hat", &FormulaReader::accent},         {"bar", &FormulaReader::accent},
      {"tilde", &FormulaReader::accent},       {"vec", &FormulaReader::accent},
      {"dot", &FormulaReader::accent},         {"overline", &FormulaReader::accent},
      {"underbrace", &FormulaReader::brace},   {"overbrace", &FormulaReader::brace},
      {"begin", &FormulaReader::table},        {"left", &FormulaReader::stretched},
      {"big", &FormulaReader::large_bracket},  {"Big", &FormulaReader::large_bracket},
      {"bigg", &FormulaReader::large_bracket}, {"dots", &FormulaReader::dots}};
  if (const auto member = members.find(name); member != members.end()) return (this->*member->second)(name, before);
  const Symbol* known = symbol_of_command(name);
  if (!known) throw FormulaError(fmt::format("the command \\{} is not known", name));
  return symbol(*known, before);
}

FormulaReader::Thing FormulaReader::fraction(const std::string& name, const Row& before) {
  const bool displayed = before.style() == Style::display;
  const Style inside = displayed && name == "frac" ? Style::text : Style::script;
  const std::string above = argument(inside), below = argument(inside);
  const std::string html = fmt::format("<mfrac>{}{}</mfrac>", above, below);
  const bool made_small = displayed && name == "tfrac";
  return {Kind::ordinary, made_small ? fmt::format(R"(<mstyle displaystyle="false">{}</mstyle>)", html) : html};
}

FormulaReader::Thing FormulaReader::root(const std::string&, const Row& before) {
  if (!took("[")) return {Kind::ordinary, fmt::format("<msqrt>{}</msqrt>", argument(before.style()))};
  const Row degree = row(Style::script, "]");
  expect("]");
  return {Kind::ordinary, fmt::format("<mroot>{}{}</mroot>", argument(before.style()), degree.as_one())};
}

FormulaReader::Thing FormulaReader::upright(const std::string& name, const Row&) {
  const std::string text = words();
  if (name == "operatorname") return {Kind::function, fmt::format(R"(<mi mathvariant="normal">{}</mi>)", text)};
  return {Kind::ordinary, fmt::format("<mtext>{}</mtext>", text)};
}

FormulaReader::Thing FormulaReader::accent(const std::string& name, const Row& before) {
  static const Names marks = {{"hat", "^"}, {"bar", "¯"}, {"tilde", "~"},
                              {"vec", "→"}, {"dot", "˙"}, {"overline", "¯"}};
  return {Kind::ordinary, fmt::format(R"(<mover accent="true">{}<mo stretchy="{}">{}</mo></mover>)",
                                      argument(before.style()), name == "overline", marks.at(name))};
}

FormulaReader::Thing FormulaReader::brace(const std::string& name, const Row& before) {
  const bool under = name == "underbrace";
  const std::string html = fmt::format(R"(<{0}>{1}<mo stretchy="true">{2}</mo></{0}>)", under ? "munder" : "mover",
                                       group(before.style()), under ? "⏟" : "⏞");
  return {Kind::ordinary, html, true};
}

// Three dots stand low between commas, and in the middle beside a sign.
FormulaReader::Thing FormulaReader::dots(const std::string&, const Row& before) {
  const std::string_view token = next();
  const bool beside_sign = before.ends_with(Kind::binary) || token == "+" || token == "-" || token == "\\cdot";
  return symbol(*symbol_of_command(beside_sign ? "cdots" : "ldots"), before);
}

std::string FormulaReader::bracket() {
  const std::string_view token = take();
  if (token.empty()) throw FormulaError("a bracket is missing");
  if (token == ".") return "";
  const Symbol* known =
      token[0] == '\\' ? symbol_of_command(std::string(token.substr(1))) : symbol_of_character(token[0]);
  if (!known) throw FormulaError(fmt::format("'{}' is no bracket", token));
  return std::string(known->text);
}

FormulaReader::Thing FormulaReader::stretched(const std::string&, const Row& before) {
  const std::string opening = bracket();
  const Row inside = row(before.style());
  if (!took("\\right")) throw FormulaError("\\left has no \\right");
  const std::string closing = bracket();
  return {Kind::ordinary, between(opening, inside.html(), closing)};
}

FormulaReader::Thing FormulaReader::large_bracket(const std::string& name, const Row&) {
  static const Names heights = {{"big", "1.2em"}, {"Big", "1.8em"}, {"bigg", "2.4em"}};
  const std::string text = bracket();
  const Symbol* known = text.size() == 1 ? symbol_of_character(text[0]) : nullptr;
  const Kind kind = known ? known->kind : Kind::ordinary;
  const std::string_view form = kind == Kind::close ? "postfix" : "prefix";
  return {kind, fmt::format(R"(<mo form="{0}" stretchy="true" minsize="{1}" maxsize="{1}" lspace="0em" rspace="0em">)"
                            R"({2}</mo>)",
                            form, heights.at(name), text)};
}

// \begin{pmatrix} a & b \\ c & d \end{pmatrix}
FormulaReader::Thing FormulaReader::table(const std::string&, const Row&) {
  static const std::map<std::string, std::pair<std::string, std::string>, std::less<>> brackets = {
      {"matrix", {"", ""}}, {"pmatrix", {"(", ")"}}, {"bmatrix", {"[", "]"}}, {"cases", {"{", ""}}};
  const std::string name = words();
  const auto around = brackets.find(name);
  if (around == brackets.end()) throw FormulaError(fmt::format("\\begin{{{}}} is not known", name));
  std::string rows;
  do {
    rows += "<mtr>";
    do rows += fmt::format("<mtd>{}</mtd>", row(Style::text).html());
    while (took("&"));
    rows += "</mtr>";
  } while (took("\\\\"));
  if (!took("\\end") || words() != name) throw FormulaError(fmt::format("\\begin{{{0}}} has no \\end{{{0}}}", name));
  const std::string inside = fmt::format(R"(<mtable class="{}">{}</mtable>)", name, rows);
  return {Kind::ordinary, between(around->second.first, inside, around->second.second)};
}

}  // namespace regard::site
