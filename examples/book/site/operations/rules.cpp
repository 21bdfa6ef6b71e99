#include "examples/book/site/operations/rules.h"

#include <fmt/format.h>

#include <cctype>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "examples/book/site/operations/sources.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

// A function begins at the first column. Its other lines are indented, or close it.
bool begins_function(const std::string& line) {
  if (line.empty() || !std::isalpha(static_cast<unsigned char>(line[0])) || line.starts_with("namespace")) return false;
  return line.find('(') != std::string::npos;
}

std::size_t last_line_of_function(const SourceFile& file, std::size_t first) {
  for (std::size_t i = first; i < file.lines.size(); ++i)
    if (file.lines[i] == "}" || (i == first && file.lines[i].ends_with("}"))) return i;
  return file.lines.size() - 1;
}

Passage function_at(const SourceFile& file, std::size_t first) {
  const auto begin = file.lines.begin() + static_cast<std::ptrdiff_t>(first);
  const auto end = file.lines.begin() + static_cast<std::ptrdiff_t>(last_line_of_function(file, first)) + 1;
  return {file.path, static_cast<int>(first) + 1, comment_above(file, first), {begin, end}};
}

// Whether a line at the first column declares or defines a function of this name that returns values of operations.
bool declares(const std::string& line, const std::string& name) {
  static const std::set<std::string, std::less<>> results = {
      "Variable", "Tensor", "TopKVariables", "LookingSteps", "std::vector<Variable>", "std::vector<Tensor>"};
  const std::size_t parenthesis = line.find('('), at = find_word_before_parenthesis(line, name);
  return at != std::string::npos && at + name.size() == parenthesis && results.contains(trimmed(line.substr(0, at)));
}

// A passage right below the last one is another form of it, unless it has a comment of its own.
void add(std::vector<Passage>& found, Passage passage) {
  const bool continues = !found.empty() && found.back().file == passage.file && passage.comment.empty() &&
                         found.back().line + static_cast<int>(found.back().code.size()) == passage.line;
  if (continues)
    found.back().code.insert(found.back().code.end(), passage.code.begin(), passage.code.end());
  else
    found.push_back(std::move(passage));
}

// The first line of the block of declarations that a line stands in: nothing else is between them, not even a comment.
std::size_t begin_of_block(const SourceFile& file, std::size_t line) {
  const auto is_declared = [](const std::string& above) {
    return above.starts_with(' ') || (begins_function(above) && !above.starts_with("inline "));
  };
  while (line > 0 && is_declared(file.lines[line - 1])) --line;
  return line;
}

// The functions of a file that record an operation, or define its name.
std::vector<Passage> functions_of(const SourceFile& file, const std::string& name, bool recording) {
  const std::string recorded = fmt::format("op(\"{}\")", name);
  std::vector<Passage> found;
  std::size_t function = 0, last = file.lines.size();
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (begins_function(file.lines[i])) function = i;
    const bool is_it = recording ? file.lines[i].find(recorded) != std::string::npos : declares(file.lines[i], name);
    const bool is_twin = file.lines[function].find("_composed(") != std::string::npos;  // it only names it, in errors
    if (!is_it || is_twin || function == last) continue;
    last = function;
    add(found, function_at(file, function));
  }
  return found;
}

}  // namespace

std::vector<Passage> rules_of(const std::vector<SourceFile>& autograd, const std::string& name) {
  for (const bool recording : {true, false}) {
    std::vector<Passage> all;
    for (const SourceFile& file : autograd)
      if (file.path.ends_with(".cpp") && !file.path.starts_with("autograd/gradcheck/"))  // that names some
        for (Passage& passage : functions_of(file, name, recording)) all.push_back(passage);
    if (!all.empty()) return all;
  }
  return {};
}

std::vector<Passage> declarations_of(const std::vector<SourceFile>& files, const std::string& name) {
  std::vector<Passage> all;
  for (const SourceFile& file : files) {
    if (!file.path.ends_with(".h")) continue;
    std::size_t said = file.lines.size();  // the block whose comment is in a passage already
    for (std::size_t i = 0; i < file.lines.size(); ++i) {
      const std::string& line = file.lines[i];
      if (!declares(line, name) || line.ends_with("{")) continue;
      Passage passage{file.path, static_cast<int>(i) + 1, {}, {}};
      const std::size_t block = begin_of_block(file, i);
      if (block != said) passage.comment = comment_above(file, block);
      if (!passage.comment.empty() && block != i) passage.below_comment = static_cast<int>(block) + 1;
      said = block;
      do passage.code.push_back(file.lines[i]);
      while (file.lines[i].find(';') == std::string::npos && ++i < file.lines.size());
      add(all, std::move(passage));
    }
  }
  return all;
}

}  // namespace regard::site
