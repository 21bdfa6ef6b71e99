#include "examples/book/site/colours.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/languages.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// The names of colours, as in style.css.
constexpr std::string_view none, comment = "c", string = "s", keyword = "k", type = "t", number = "n", directive = "p",
                                 variable = "v";

struct Piece {
  std::string_view colour;
  std::string_view text;
};

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

class Scanner {
 public:
  Scanner(std::string_view code, const Language& language) : code_(code), language_(language) {}

  std::vector<Piece> pieces() {
    while (at_ < code_.size()) {
      const std::size_t begin = at_;
      const std::string_view colour = step();
      const std::string_view text = code_.substr(begin, at_ - begin);
      if (colour == none && !pieces_.empty() && pieces_.back().colour == none) {
        pieces_.back().text = {pieces_.back().text.data(), pieces_.back().text.size() + text.size()};
      } else {
        pieces_.push_back({colour, text});
      }
      if (text.find_first_not_of(" \t\n") != std::string_view::npos) line_begins_ = false;
      if (text.find('\n') != std::string_view::npos) line_begins_ = true;
    }
    return pieces_;
  }

 private:
  // Moves past one piece and says its colour.
  std::string_view step() {
    const std::string_view rest = code_.substr(at_);
    const char c = rest[0];
    if (comment_begins(rest)) return move(rest.find('\n'), comment);
    if (!language_.comment_begins.empty() && rest.starts_with(language_.comment_begins)) {
      const std::size_t end = rest.find(language_.comment_ends, language_.comment_begins.size());
      return move(end == std::string_view::npos ? end : end + language_.comment_ends.size(), comment);
    }
    if (language_.has_directives && c == '#' && line_begins_) return move(directive_length(rest), directive);
    if (language_.has_raw_strings && rest.starts_with("R\"")) return raw_string(rest);
    if (language_.has_variables && c == '$') return move(variable_length(rest), variable);
    if (language_.quotes.find(c) != std::string_view::npos) return quoted(rest);
    if (std::isdigit(static_cast<unsigned char>(c))) return move(number_length(rest), number);
    if (is_name(c)) return word(rest);
    return move(1, none);
  }

  std::string_view move(std::size_t length, std::string_view colour) {
    at_ = std::min(code_.size(), length == std::string_view::npos ? code_.size() : at_ + length);
    return colour;
  }

  // # begins a comment in a shell only where a word could begin.
  bool comment_begins(std::string_view rest) const {
    if (!rest.starts_with(language_.line_comment)) return false;
    return language_.line_comment != "#" || at_ == 0 || std::isspace(static_cast<unsigned char>(code_[at_ - 1]));
  }

  // "#include <x>" is one piece; of others only the word, for the rest is code.
  static std::size_t directive_length(std::string_view rest) {
    if (rest.starts_with("#include")) return std::min(rest.find('\n'), rest.find("  //"));
    std::size_t end = 1;
    while (end < rest.size() && (is_name(rest[end]) || rest[end] == ' ')) {
      if (rest[end] == ' ' && is_name(rest[end - 1])) break;
      ++end;
    }
    return end;
  }

  static std::size_t variable_length(std::string_view rest) {
    if (rest.starts_with("${")) {
      const std::size_t end = rest.find('}');
      return end == std::string_view::npos ? 2 : end + 1;
    }
    std::size_t end = 1;
    while (end < rest.size() && is_name(rest[end])) ++end;
    return end == 1 ? std::min<std::size_t>(2, rest.size()) : end;
  }

  std::string_view raw_string(std::string_view rest) {
    const std::size_t bracket = rest.find('(');
    if (bracket == std::string_view::npos) return move(2, string);
    const std::string end = fmt::format("){}\"", rest.substr(2, bracket - 2));
    const std::size_t at = rest.find(end);
    return move(at == std::string_view::npos ? at : at + end.size(), string);
  }

  std::string_view quoted(std::string_view rest) {
    const char quote = rest[0];
    std::size_t end = 1;
    while (end < rest.size() && rest[end] != quote) end += rest[end] == '\\' ? 2 : 1;
    return move(end + 1, string);
  }

  static std::size_t number_length(std::string_view rest) {
    std::size_t end = 1;
    while (end < rest.size()) {
      const bool exponent = (rest[end] == '+' || rest[end] == '-') && (rest[end - 1] == 'e' || rest[end - 1] == 'E') &&
                            !rest.starts_with("0x");
      const bool separated = rest[end] == '\'' && end + 1 < rest.size() && is_name(rest[end + 1]);
      if (!is_name(rest[end]) && rest[end] != '.' && !exponent && !separated) break;
      ++end;
    }
    return end;
  }

  std::string_view word(std::string_view rest) {
    std::size_t end = 1;
    while (end < rest.size() && is_name(rest[end])) ++end;
    const std::string_view name = rest.substr(0, end);
    if (language_.keywords.contains(name)) return move(end, keyword);
    return move(end, language_.types.contains(name) ? type : none);
  }

  std::string_view code_;
  const Language& language_;
  std::size_t at_ = 0;
  bool line_begins_ = true;
  std::vector<Piece> pieces_;
};

std::vector<Piece> pieces_of(std::string_view code, std::string_view language) {
  const Language* known = language_named(language);
  if (!known) return {{none, code}};
  return Scanner(code, *known).pieces();
}

std::string html_of(std::string_view colour, std::string_view text) {
  if (colour == none || text.empty()) return escaped(text);
  return fmt::format("<span class=\"{}\">{}</span>", colour, escaped(text));
}

}  // namespace

std::string coloured(std::string_view code, std::string_view language) {
  std::string html;
  for (const Piece& piece : pieces_of(code, language)) html += html_of(piece.colour, piece.text);
  return html;
}

std::vector<std::string> coloured_lines(std::string_view code, std::string_view language) {
  std::vector<std::string> lines(1);
  for (auto [colour, text] : pieces_of(code, language)) {
    for (;;) {
      const std::size_t end = text.find('\n');
      lines.back() += html_of(colour, text.substr(0, end));
      if (end == std::string_view::npos) break;
      lines.emplace_back();
      text.remove_prefix(end + 1);
    }
  }
  if (lines.back().empty()) lines.pop_back();
  return lines;
}

std::string language_of(std::string_view path, std::string_view content) {
  const auto ends = [&](std::string_view ending) { return path.ends_with(ending); };
  if (ends(".h") || ends(".cpp")) return "cpp";
  if (ends("CMakeLists.txt") || ends(".cmake")) return "cmake";
  if (ends(".py")) return "py";
  if (ends(".sh") || content.starts_with("#!/usr/bin/env bash") || content.starts_with("#!/bin/sh")) return "sh";
  return "text";
}

}  // namespace regard::site
