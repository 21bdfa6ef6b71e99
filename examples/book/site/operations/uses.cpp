#include "examples/book/site/operations/uses.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "examples/book/site/operations/sources.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

enum class Found { nothing, call, declaration };

bool ends_with_any(std::string_view text, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return text.ends_with(ending); });
}

// What stands before a name tells a call from the rest: a type does in "Tensor sum(", which declares a sum.
Found found_at(std::string_view line, std::size_t at) {
  const std::string before = trimmed(line.substr(0, at));
  if (before.empty()) return Found::call;
  const char last = before.back();
  if (ends_with_any(before, {" :", " *", " >", "&&", "return", "else", "case"})) return Found::call;
  if (last == '.' || last == ':' || last == '~' || before.ends_with("->")) return Found::nothing;
  const bool behind_type = line[at - 1] == ' ' && (std::isalnum(static_cast<unsigned char>(last)) ||
                                                   ends_with_any(before, {">", "&", "*", "_"}));
  return behind_type ? Found::declaration : Found::call;
}

// The calls of a file, the first of them; none if it has a function or a variable of this name of its own.
Use first_call(const SourceFile& file, const std::string& name) {
  const std::string own[] = {fmt::format("auto {} = [", name), fmt::format("auto& {} = ", name),
                             fmt::format("& {},", name), fmt::format("& {})", name)};  // lambdas, and parameters
  Use first{file.path, 0};
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (file.lines[i].find(name) == std::string::npos) continue;
    const std::string line = trimmed(file.lines[i].substr(0, file.lines[i].find("//")));
    for (const std::string& words : own)
      if (line.find(words) != std::string::npos) return {file.path, 0};
    for (std::size_t at = 0; (at = find_word_before_parenthesis(line, name, at)) != std::string::npos; ++at) {
      const Found found = found_at(line, at);
      if (found == Found::declaration) return {file.path, 0};
      if (found == Found::call && first.line == 0) first.line = static_cast<int>(i) + 1;
    }
  }
  return first;
}

bool declares(const SourceFile& file, const std::string& name) {
  for (const std::string& line : file.lines)
    for (std::size_t at = 0; (at = find_word_before_parenthesis(line, name, at)) != std::string::npos; ++at)
      if (!trimmed(line).starts_with("//") && found_at(line, at) == Found::declaration) return true;
  return false;
}

}  // namespace

std::vector<Use> uses_of(const std::vector<SourceFile>& files, const std::string& name) {
  std::vector<Use> uses;
  for (const SourceFile& file : files) {
    const Use use = first_call(file, name);
    if (use.line == 0) continue;
    const std::string header = file.path.substr(0, file.path.rfind('.')) + ".h";
    const auto own =
        std::find_if(files.begin(), files.end(), [&](const SourceFile& one) { return one.path == header; });
    if (own == files.end() || own->path == file.path || !declares(*own, name)) uses.push_back(use);
  }
  return uses;
}

}  // namespace regard::site
