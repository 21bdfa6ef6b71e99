#include "examples/book/site/operations/uses.h"

#include <cctype>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/operations/sources.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

enum class Found { nothing, call, definition };

// What stands before the name tells a call from the rest: in "Tensor sum(" a type does.
Found found_at(std::string_view line, std::size_t at) {
  const std::string before = trimmed(line.substr(0, at));
  if (before.empty()) return Found::call;
  const char last = before.back();
  if (last == '.' || last == ':' || last == '~')
    return before.ends_with(" :") || before.ends_with("? :") ? Found::call : Found::nothing;
  if (before.ends_with("->")) return Found::nothing;
  const bool follows_word = line[at - 1] == ' ' && (std::isalnum(static_cast<unsigned char>(last)) || last == '>' ||
                                                    last == '&' || last == '*' || last == '_');
  if (!follows_word) return Found::call;
  for (const std::string_view word : {"return", "else", "co_return", "case"})
    if (before.ends_with(word)) return Found::call;
  if (last == '*' || last == '&' || last == '>') {  // a product, a comparison; or a type, at the beginning of its line
    const std::string_view whole = line.substr(line.find_first_not_of(' '));
    if (before.ends_with(" *") || before.ends_with(" >") || before.ends_with("&&")) return Found::call;
    return whole.ends_with("{") ? Found::definition : Found::nothing;
  }
  return line.ends_with("{") || line.ends_with("}") ? Found::definition : Found::nothing;
}

std::string without_comment(const std::string& line) { return line.substr(0, line.find("//")); }

}  // namespace

std::vector<Use> uses_of(const std::vector<SourceFile>& files, const std::string& name) {
  std::vector<Use> uses;
  for (const SourceFile& file : files) {
    Use first{file.path, 0, ""};
    bool has_its_own = false;
    for (std::size_t i = 0; i < file.lines.size() && !has_its_own; ++i) {
      if (file.lines[i].find(name) == std::string::npos) continue;
      const std::string line = without_comment(file.lines[i]);
      for (std::size_t at = 0; (at = find_word_before_parenthesis(line, name, at)) != std::string::npos; ++at) {
        const std::string code = trimmed(line);
        const Found found = found_at(code, at - line.find_first_not_of(' '));
        has_its_own = has_its_own || found == Found::definition;
        if (found == Found::call && first.line == 0) first = {file.path, static_cast<int>(i) + 1, code};
      }
    }
    if (first.line > 0 && !has_its_own) uses.push_back(first);
  }
  return uses;
}

}  // namespace regard::site
