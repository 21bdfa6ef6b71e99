#include "tests/museum/page.h"

#include "tensor/error.h"

#include <fstream>
#include <sstream>

namespace regard::museum {
namespace {

// The lines of a source between "// museum: NAME" and "// museum: /NAME".
std::string quoted(const std::filesystem::path& source, const std::string& name) {
  std::ifstream file(source);
  if (!file) fail<IoError>("museum: cannot read {}", source.string());
  std::string line, lines;
  bool inside = false;
  while (std::getline(file, line)) {
    if (line == "// museum: /" + name) return lines;
    if (inside) lines += line + "\n";
    if (line == "// museum: " + name) inside = true;
  }
  fail<ValueError>("museum: {} has no lines between '// museum: {}' and '// museum: /{}'", source.string(), name, name);
}

// Words, in lines of at most 120 columns.
std::string wrapped(const std::string& text) {
  std::istringstream words(text);
  std::string word, line, lines;
  while (words >> word) {
    if (!line.empty() && letter_count(line) + 1 + letter_count(word) > 120) lines += line + "\n", line.clear();
    line += (line.empty() ? "" : " ") + word;
  }
  return lines + line + "\n";
}

// What a tool says, as it is, but for lines that are too long.
std::string said(const std::string& output) {
  std::istringstream lines(output);
  std::string line, text;
  while (std::getline(lines, line)) text += line.size() > 120 ? wrapped(line) : line + "\n";
  return text;
}

std::string about_curves(const Exhibit& exhibit) {
  if (!exhibit.learn) return "";
  const std::vector<double> wrong = exhibit.learn(true), right = exhibit.learn(false);
  return fmt::format("![{0} with the mistake and without](pictures/{1}.svg)\n\n", exhibit.title, exhibit.name) +
         wrapped(fmt::format("*After {} steps the {} is {:.2g} with the mistake, and {:.2g} without.*", wrong.size(),
                             exhibit.curve, wrong.back(), right.back())) +
         "\n";
}

}  // namespace

std::string page_of(const Exhibit& exhibit, const std::filesystem::path& sources) {
  const std::filesystem::path source = sources / (exhibit.name + ".cpp");
  const Finding finding = exhibit.look(true);
  std::string page = fmt::format("# {}\n\n", exhibit.title);
  page += wrapped("**How it looks.** " + exhibit.looks) + "\n" + about_curves(exhibit);
  page += fmt::format("```cpp code\n{}```\n\n", quoted(source, "wrong"));
  page += wrapped("**How common it is.** " + exhibit.common) + "\n";
  page += fmt::format("**What shows it: {}.** It says:\n\n```text\n{}```\n\n", finding.tool, said(finding.output));
  page += wrapped(exhibit.lesson) + "\n";
  page += fmt::format("**Right:**\n\n```cpp code\n{}```\n", quoted(source, "right"));
  return page;
}

std::string index_of(const std::vector<Exhibit>& wall) {
  std::string page =
      "# The museum of mistakes\n\n" +
      wrapped(fmt::format(
          "Here are {} mistakes that people make when they write attention, gradients and trainings. Each has a page: "
          "how it looks from outside, the wrong lines, the tool that shows it, in its own words, and the right lines. "
          "`build/tests/museum` shows all of them to their tools, in the wrong version and in the right one; "
          "`--verbose` prints what the tools say. The pages are written by `build/tests/museum --pages "
          "tests/museum/pages`, and a test compares them.",
          wall.size())) +
      "\n" +
      wrapped(
          "A *law* here is something that must hold, written as a test of a few lines. The *kit* tries the laws of "
          "attention ([chapter 18](../../../examples/book/18_own_variant.md)); the other tools are in [chapter "
          "22](../../../examples/book/22_tools_that_explain.md). A difference of inf means that one of the two numbers "
          "is NaN or infinity.") +
      "\n| mistake | shown by |\n|---|---|\n";
  for (const Exhibit& exhibit : wall)
    page += fmt::format("| [{}]({}.md) | {} |\n", exhibit.title, exhibit.name, exhibit.look(true).tool);
  return page;
}

}  // namespace regard::museum
