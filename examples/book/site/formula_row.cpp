#include "examples/book/site/formula_row.h"

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/formula_symbols.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

std::string sign(std::string_view text, std::string_view form, std::string_view before, std::string_view behind) {
  return fmt::format(R"(<mo form="{}" stretchy="false" lspace="{}em" rspace="{}em">{}</mo>)", form, before, behind,
                     text);
}

// Letters are slanted, as MathML slants an <mi> of one letter. Capital Greek letters stand upright, as in TeX.
std::string letter(std::string_view text) {
  const std::u32string points = code_points(text);
  const bool small_greek = points[0] >= 0x3B1 && points[0] <= 0x3F5;
  if (points[0] < 0x80 || small_greek || text == "∂") return fmt::format("<mi>{}</mi>", text);
  return fmt::format(R"(<mi mathvariant="normal">{}</mi>)", text);
}

bool is_operator(Kind kind) { return kind == Kind::function || kind == Kind::large; }

}  // namespace

Kind Row::kind_here(Kind kind) const {
  if (kind != Kind::binary) return kind;
  if (first_ || is_operator(last_)) return Kind::ordinary;
  const bool begins = last_ == Kind::binary || last_ == Kind::relation || last_ == Kind::open;
  return begins || last_ == Kind::punctuation ? Kind::ordinary : kind;
}

void Row::add(Kind kind, std::string_view html) {
  static constexpr std::string_view thin = "0.1667";
  const bool behind_thing = last_ == Kind::ordinary || last_ == Kind::close || is_operator(last_);
  const bool apart = is_operator(kind) ? behind_thing : kind == Kind::ordinary && is_operator(last_);
  if (!first_ && apart) space(thin);
  html_ += html;
  ++count_;
  first_ = false;
  last_ = kind;
  if (kind == Kind::open) ++open_;
  if (kind == Kind::close) --open_;
  if (open_ == 0 && (kind == Kind::relation || kind == Kind::binary)) breaks_.push_back(html_.size());
}

void Row::space(std::string_view em) {
  html_ += fmt::format(R"(<mspace width="{}em"/>)", em);
  ++count_;
}

std::vector<std::string> Row::pieces() const {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (const std::size_t end : breaks_) {
    all.push_back(html_.substr(begin, end - begin));
    begin = end;
  }
  if (begin < html_.size()) all.push_back(html_.substr(begin));
  return all;
}

std::string Row::as_one() const { return count_ == 1 ? html_ : "<mrow>" + html_ + "</mrow>"; }

std::string element_of(const Symbol& symbol, Kind kind, Style style) {
  const std::string_view text = symbol.text;
  const bool close_together = style == Style::script;
  switch (kind) {
    case Kind::function: return fmt::format("<mi>{}</mi>", text);
    case Kind::large:
      return fmt::format(R"(<mo form="prefix" movablelimits="true" lspace="0em" rspace="0em">{}</mo>)", text);
    case Kind::binary: return close_together ? sign(text, "infix", "0", "0") : sign(text, "infix", "0.2222", "0.2222");
    case Kind::relation:
      return close_together ? sign(text, "infix", "0", "0") : sign(text, "infix", "0.2778", "0.2778");
    case Kind::punctuation: return sign(text, "postfix", "0", close_together ? "0" : "0.1667");
    case Kind::open: return sign(text, "prefix", "0", "0");
    case Kind::close: return sign(text, "postfix", "0", "0");
    case Kind::space: return fmt::format(R"(<mspace width="{}em"/>)", text);
    case Kind::ordinary: break;
  }
  if (symbol.kind == Kind::binary) return sign(text, "prefix", "0", "0");
  static constexpr std::string_view signs = "| / ! ? . ‖ ⋯ …";
  const bool is_dots = text == "…" || text == "⋯";
  if (signs.find(text) != std::string_view::npos && !is_dots) return sign(text, "infix", "0", "0");
  return letter(text);
}

}  // namespace regard::site
