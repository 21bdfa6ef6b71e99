#include "examples/book/site/formula.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "examples/book/site/formula_row.h"
#include "examples/book/site/formula_symbols.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

[[noreturn]] void fail(const std::string& what) { throw FormulaError(what); }

// Reads a formula from left to right. Each member reads what it is named after.
class Reader {
 public:
  explicit Reader(std::string_view tex) : tex_(tex) {}

  std::string formula(bool display) {
    const Row all = row(display ? Style::display : Style::text);
    if (!next().empty()) fail(fmt::format("'{}' closes nothing", next()));
    if (all.empty()) fail("it is empty");
    return all.html();
  }

 private:
  // The next token: a character, or a command with its backslash; empty at the end.
  std::string_view next() {
    while (at_ < tex_.size() && std::isspace(static_cast<unsigned char>(tex_[at_]))) ++at_;
    if (at_ >= tex_.size()) return {};
    std::size_t end = at_ + 1;
    if (tex_[at_] == '\\') {
      if (end >= tex_.size()) fail("it ends with a backslash");
      ++end;
      if (std::isalpha(static_cast<unsigned char>(tex_[at_ + 1])))
        while (end < tex_.size() && std::isalpha(static_cast<unsigned char>(tex_[end]))) ++end;
    }
    return tex_.substr(at_, end - at_);
  }
  std::string_view take() {
    const std::string_view token = next();
    at_ += token.size();
    return token;
  }
  void expect(std::string_view token) {
    if (take() != token) fail(fmt::format("a '{}' is missing", token));
  }

  bool at_end_of_row(std::string_view closing) {
    const std::string_view token = next();
    return token.empty() || token == "}" || token == "&" || token == "\\\\" || token == "\\end" || token == "\\right" ||
           token == closing;
  }

  Row row(Style style, std::string_view closing = "}") {
    Row all(style);
    while (!at_end_of_row(closing)) thing_with_scripts(all);
    return all;
  }

  struct Thing {
    Kind kind;
    std::string html;
    bool bounds = false;  // what is written as an index stands below it
  };

  void thing_with_scripts(Row& all) {
    Thing thing = this->thing(all);
    if (thing.kind == Kind::space) {
      all.space(thing.html);
    } else {
      scripts(thing);
      all.add(thing.kind, thing.html);
    }
  }

  // {…}, or a single token where TeX takes one: \frac12
  std::string argument(Style style) {
    const std::string_view token = next();
    if (token == "{") return group(style);
    if (token.empty() || token == "}" || token == "^" || token == "_") fail("something is missing behind a command");
    Row alone(style);
    if (std::isdigit(static_cast<unsigned char>(token[0]))) return fmt::format("<mn>{}</mn>", take());
    alone.add(Kind::ordinary, thing(alone).html);
    return alone.as_one();
  }

  std::string group(Style style) {
    expect("{");
    const Row inside = row(style);
    expect("}");
    return inside.as_one();
  }

  std::string words() {
    if (take() != "{") fail("\\text needs braces");
    std::string text;
    for (; at_ < tex_.size() && tex_[at_] != '}'; ++at_) {
      if (tex_[at_] == '\\' || tex_[at_] == '{' || tex_[at_] == '$') fail("\\text takes plain words only");
      text +=
          std::isspace(static_cast<unsigned char>(tex_[at_])) ? std::string("\u00A0") : escaped(tex_.substr(at_, 1));
    }
    expect("}");
    return text;
  }

  Thing thing(const Row& before) {
    const Style style = before.style();
    const std::string_view token = next();
    const char first = token[0];
    if (first == '{') return {Kind::ordinary, group(style)};
    if (std::isdigit(static_cast<unsigned char>(first))) return {Kind::ordinary, number()};
    take();
    if (std::isalpha(static_cast<unsigned char>(first))) return {Kind::ordinary, fmt::format("<mi>{}</mi>", token)};
    if (first == '\\') return command(std::string(token.substr(1)), before);
    if (static_cast<unsigned char>(first) >= 0x80)
      fail("letters that are not ASCII are written as commands, √ as \\sqrt");
    const Symbol* symbol = symbol_of_character(first);
    if (!symbol) fail(fmt::format("'{}' is not understood here", token));
    return of_symbol(*symbol, before);
  }

  static Thing of_symbol(const Symbol& symbol, const Row& before) {
    if (symbol.kind == Kind::space) return {Kind::space, std::string(symbol.text)};
    const Kind kind = before.kind_here(symbol.kind);
    return {kind, element_of(symbol, kind, before.style()), kind == Kind::large};
  }

  std::string number() {
    const std::size_t begin = at_;
    const auto digit = [&](std::size_t i) {
      return i < tex_.size() && std::isdigit(static_cast<unsigned char>(tex_[i]));
    };
    while (digit(at_) || (at_ < tex_.size() && tex_[at_] == '.' && digit(at_ + 1))) ++at_;
    return fmt::format("<mn>{}</mn>", tex_.substr(begin, at_ - begin));
  }

  Thing command(const std::string& name, const Row& before) {
    using Member = Thing (Reader::*)(const std::string&, const Row&);
    static const std::map<std::string, Member, std::less<>> members = {{"frac", &Reader::fraction},
                                                                       {"tfrac", &Reader::fraction},
                                                                       {"sqrt", &Reader::root},
                                                                       {"text", &Reader::upright},
                                                                       {"mathrm", &Reader::upright},
                                                                       {"operatorname", &Reader::upright},
                                                                       {"hat", &Reader::accent},
                                                                       {"bar", &Reader::accent},
                                                                       {"tilde", &Reader::accent},
                                                                       {"vec", &Reader::accent},
                                                                       {"dot", &Reader::accent},
                                                                       {"overline", &Reader::accent},
                                                                       {"underbrace", &Reader::brace},
                                                                       {"overbrace", &Reader::brace},
                                                                       {"begin", &Reader::table},
                                                                       {"left", &Reader::stretched},
                                                                       {"big", &Reader::large_delimiter},
                                                                       {"Big", &Reader::large_delimiter},
                                                                       {"bigg", &Reader::large_delimiter},
                                                                       {"dots", &Reader::dots}};
    if (const auto member = members.find(name); member != members.end()) return (this->*member->second)(name, before);
    const Symbol* symbol = symbol_of_command(name);
    if (!symbol) fail(fmt::format("the command \\{} is not known", name));
    return of_symbol(*symbol, before);
  }

  Thing fraction(const std::string& name, const Row& before) {
    const bool large = name == "frac" && before.style() == Style::display;
    const Style inside = large ? Style::text : Style::script;
    const std::string above = argument(inside), below = argument(inside);
    const std::string html = fmt::format("<mfrac>{}{}</mfrac>", above, below);
    const bool made_small = name == "tfrac" && before.style() == Style::display;
    return {Kind::ordinary, made_small ? fmt::format(R"(<mstyle displaystyle="false">{}</mstyle>)", html) : html};
  }

  Thing root(const std::string&, const Row& before) {
    if (next() != "[") return {Kind::ordinary, fmt::format("<msqrt>{}</msqrt>", argument(before.style()))};
    take();
    const Row degree = row(Style::script, "]");
    expect("]");
    return {Kind::ordinary, fmt::format("<mroot>{}{}</mroot>", argument(before.style()), degree.as_one())};
  }

  Thing upright(const std::string& name, const Row&) {
    const std::string text = words();
    if (name == "operatorname") return {Kind::function, fmt::format(R"(<mi mathvariant="normal">{}</mi>)", text)};
    return {Kind::ordinary, fmt::format("<mtext>{}</mtext>", text)};
  }

  Thing accent(const std::string& name, const Row& before) {
    static const std::map<std::string, std::string, std::less<>> marks = {
        {"hat", "^"}, {"bar", "¯"}, {"tilde", "~"}, {"vec", "→"}, {"dot", "˙"}, {"overline", "¯"}};
    return {Kind::ordinary, fmt::format(R"(<mover accent="true">{}<mo stretchy="{}">{}</mo></mover>)",
                                        argument(before.style()), name == "overline", marks.at(name))};
  }

  Thing brace(const std::string& name, const Row& before) {
    const bool under = name == "underbrace";
    const std::string_view tag = under ? "munder" : "mover";
    return {Kind::ordinary,
            fmt::format(R"(<{0}>{1}<mo stretchy="true">{2}</mo></{0}>)", tag, group(before.style()), under ? "⏟" : "⏞"),
            true};
  }

  // Three dots stand low between commas, and in the middle beside a sign.
  Thing dots(const std::string&, const Row& before) {
    const std::string_view token = next();
    const bool beside_sign = before.ends_with(Kind::binary) || token == "+" || token == "-" || token == "\\cdot";
    return of_symbol(*symbol_of_command(beside_sign ? "cdots" : "ldots"), before);
  }

  std::string delimiter() {
    const std::string_view token = take();
    if (token.empty()) fail("a bracket is missing");
    if (token == ".") return "";
    const Symbol* symbol =
        token[0] == '\\' ? symbol_of_command(std::string(token.substr(1))) : symbol_of_character(token[0]);
    if (!symbol) fail(fmt::format("'{}' is no bracket", token));
    return std::string(symbol->text);
  }

  Thing stretched(const std::string&, const Row& before) {
    const std::string opening = delimiter();
    const Row inside = row(before.style());
    if (take() != "\\right") fail("\\left has no \\right");
    const std::string closing = delimiter();
    return {Kind::ordinary, between(opening, inside.html(), closing)};
  }

  Thing large_delimiter(const std::string& name, const Row&) {
    static const std::map<std::string, std::string, std::less<>> heights = {
        {"big", "1.2em"}, {"Big", "1.8em"}, {"bigg", "2.4em"}};
    const std::string text = delimiter();
    const Symbol* symbol = text.size() == 1 ? symbol_of_character(text[0]) : nullptr;
    const Kind kind = symbol ? symbol->kind : Kind::ordinary;
    return {
        kind,
        fmt::format(R"(<mo form="{0}" stretchy="true" minsize="{1}" maxsize="{1}" lspace="0em" rspace="0em">{2}</mo>)",
                    kind == Kind::close ? "postfix" : "prefix", heights.at(name), text)};
  }

  // \begin{pmatrix} a & b \\ c & d \end{pmatrix}
  Thing table(const std::string&, const Row&) {
    static const std::map<std::string, std::pair<std::string, std::string>, std::less<>> brackets = {
        {"matrix", {"", ""}}, {"pmatrix", {"(", ")"}}, {"bmatrix", {"[", "]"}}, {"cases", {"{", ""}}};
    const std::string name = words();
    const auto bracket = brackets.find(name);
    if (bracket == brackets.end()) fail(fmt::format("\\begin{{{}}} is not known", name));
    std::string rows;
    do {
      rows += "<mtr>";
      do rows += fmt::format("<mtd>{}</mtd>", row(Style::text).html());
      while (took("&"));
      rows += "</mtr>";
    } while (took("\\\\"));
    if (take() != "\\end" || words() != name) fail(fmt::format("\\begin{{{0}}} has no \\end{{{0}}}", name));
    const std::string inside = fmt::format(R"(<mtable class="{}">{}</mtable>)", name, rows);
    return {Kind::ordinary, between(bracket->second.first, inside, bracket->second.second)};
  }

  // In brackets as high as what is inside.
  static std::string between(std::string_view opening, std::string_view inside, std::string_view closing) {
    const auto bracket = [](std::string_view form, std::string_view text) {
      if (text.empty()) return std::string();
      return fmt::format(R"(<mo form="{}" stretchy="true" lspace="0em" rspace="0em">{}</mo>)", form, text);
    };
    return fmt::format("<mrow>{}{}{}</mrow>", bracket("prefix", opening), inside, bracket("postfix", closing));
  }

  bool took(std::string_view token) {
    if (next() != token) return false;
    take();
    return true;
  }

  // What stands behind a thing as a prime, an exponent or an index.
  void scripts(Thing& thing) {
    static const std::string primes[] = {"", "′", "″", "‴"};
    std::string above, below;
    std::size_t dashes = 0;
    for (;;) {
      if (took("'")) {
        if (++dashes > 3 || !above.empty()) fail("there are too many primes, or behind an exponent");
      } else if (took("^")) {
        if (!above.empty()) fail("a second exponent: braces are missing");
        above = argument(Style::script);
      } else if (took("_")) {
        if (!below.empty()) fail("a second index: braces are missing");
        below = argument(Style::script);
      } else {
        break;
      }
    }
    if (dashes > 0) {
      const std::string prime = fmt::format(R"(<mo lspace="0em" rspace="0em">{}</mo>)", primes[dashes]);
      above = above.empty() ? prime : fmt::format("<mrow>{}{}</mrow>", prime, above);
    }
    if (above.empty() && below.empty()) return;
    const std::string_view tag = above.empty()   ? (thing.bounds ? "munder" : "msub")
                                 : below.empty() ? (thing.bounds ? "mover" : "msup")
                                                 : (thing.bounds ? "munderover" : "msubsup");
    thing.html = fmt::format("<{0}>{1}{2}{3}</{0}>", tag, thing.html, below, above);
  }

  std::string_view tex_;
  std::size_t at_ = 0;
};

}  // namespace

std::string mathml(std::string_view tex, bool display) {
  const std::string inside = Reader(tex).formula(display);
  return fmt::format("<math{}><mrow>{}</mrow></math>", display ? R"( display="block")" : "", inside);
}

std::vector<std::string> parts_of_display(std::string_view tex) {
  static constexpr std::string_view gap = "\\qquad";
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    const std::string_view rest = tex.substr(i);
    if (rest.starts_with('{') || rest.starts_with("\\begin") || rest.starts_with("\\left")) ++depth;
    if (rest.starts_with('}') || rest.starts_with("\\end") || rest.starts_with("\\right")) --depth;
    if (depth == 0 && rest.starts_with(gap)) {
      parts.emplace_back();
      i += gap.size() - 1;
    } else {
      parts.back() += tex[i];
    }
  }
  return parts;
}

}  // namespace regard::site
