#include "examples/book/site/operations/operation_page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "autograd/op_list.h"
#include "examples/book/site/operations/measured_parts.h"
#include "examples/book/site/operations/rules.h"
#include "examples/book/site/operations/sources.h"
#include "examples/book/site/operations/uses.h"
#include "examples/book/site/operations/words.h"

namespace regard::site {

namespace {

std::string sentence_for(OpKind kind) {
  switch (kind) {
    case OpKind::smooth: return "smooth: it has derivatives of every order where it is defined";
    case OpKind::kinked: return "kinked: it has derivatives except at some points, where a convention decides";
    case OpKind::not_differentiable: return "not differentiable: it gives a Tensor, and no gradient goes through it";
  }
  return "";
}

bool is_composed(const OpInfo& op) { return op.rule[0] == '='; }

// "= sum, affine" with links to their pages; a word that is no operation stays a word.
std::string composed_of(const OpInfo& op) {
  std::string links, word;
  const std::string rule = std::string(op.rule).substr(1) + " ";
  for (const char c : rule) {
    if (c != ' ' && c != ',') {
      word += c;
      continue;
    }
    if (word.empty()) continue;
    const std::string shown = find_op(word) ? fmt::format("[{0}]({0}.md)", word) : as_markdown(word);
    links += (links.empty() ? "" : ", ") + shown;
    word.clear();
  }
  return links;
}

std::string summary(const OpInfo& op) {
  std::string text = fmt::format("- **Formula:** {}\n", as_markdown(op.formula));
  if (op.kind == OpKind::not_differentiable)
    text += fmt::format("- **No rule:** {}\n", as_markdown(op.rule));
  else if (is_composed(op))
    text += fmt::format("- **Rule:** that of the operations it is composed of: {}\n", composed_of(op));
  else
    text += fmt::format("- **Rule:** {}\n", as_markdown(op.rule));
  text += fmt::format("- **Kind:** {}\n", sentence_for(op.kind));
  if (op.operands == OpInfo::Operands::stretched)
    text += "- **Operands:** those of different shapes are stretched to a common one\n";
  if (op.kind != OpKind::not_differentiable && !is_composed(op))
    text +=
        "\nIn a rule, y is the result, g the gradient that arrives at it, and ∂x the gradient that is handed on to "
        "an input x.\n";
  return text;
}

std::string derivation(const OpInfo& op, const OperationFacts& facts) {
  const std::vector<Passage> rules = rules_of(facts.autograd, op.name);
  if (rules.empty()) return "";
  std::string text =
      op.kind == OpKind::not_differentiable ? "\n## The source\n\n" : "\n## Where the rule comes from\n\n";
  for (const Passage& rule : rules)
    text += comment_as_markdown(rule.comment) + "\n" + code_block(rule.file, rule.line, rule.code) + "\n";
  return text;
}

std::string declaration(const OpInfo& op, const OperationFacts& facts) {
  std::string text;
  const auto show = [&](const Passage& passage) {
    std::vector<std::string> lines;
    for (const std::string& line : passage.comment) lines.push_back(line.empty() ? "//" : "// " + line);
    lines.insert(lines.end(), passage.code.begin(), passage.code.end());
    text += code_block(passage.file, passage.line - static_cast<int>(passage.comment.size()), lines) + "\n";
  };
  for (const Passage& passage : declarations_of(facts.autograd, op.name)) show(passage);
  // The same verb of tensors, where more is said of it.
  for (const Passage& passage : declarations_of(facts.tensor, op.name)) {
    const bool says_something =
        !passage.comment.empty() || std::any_of(passage.code.begin(), passage.code.end(), [](const std::string& line) {
          return line.find("//") != std::string::npos;
        });
    if (says_something) show(passage);
  }
  return text.empty() ? "" : "\n## How it is declared\n\n" + text;
}

std::string where_used(const OpInfo& op, const OperationFacts& facts) {
  static constexpr std::size_t most = 10;
  std::string text = "\n## Where it is used\n\n";
  static const std::set<std::string, std::less<>> signs = {"add", "subtract", "multiply", "divide", "affine"};
  if (signs.contains(op.name))
    text += "Mostly it is written as a sign, as in `a + b` or `2 * x`, which a search for its name does not find.\n\n";
  const std::vector<Use> uses = uses_of(facts.users, op.name);
  if (uses.empty()) return text + "No file of `nn/` or `examples/` calls it by its name.\n";
  const std::string files = uses.size() == 1 ? "one file" : fmt::format("{} files", uses.size());
  text += fmt::format("Called by this name, for Variables or for Tensors, in {} of `nn/` and `examples/`{}:\n\n", files,
                      uses.size() > most ? fmt::format(", of which {} are", most) : "");
  for (std::size_t i = 0; i < std::min(most, uses.size()); ++i)
    text += fmt::format("- [`{0}`, line {1}](../../../{0}#L{1})\n", uses[i].file, uses[i].line);
  return text;
}

}  // namespace

std::string words_for(OpKind kind) {
  if (kind == OpKind::not_differentiable) return "no gradient";
  const std::string sentence = sentence_for(kind);
  return sentence.substr(0, sentence.find(':'));
}

std::string operation_page(const OpInfo& op, const OperationFacts& facts) {
  return fmt::format("# {}\n\n", as_markdown(op.name)) + summary(op) + picture_part(op, facts.measured) +
         derivation(op, facts) + declaration(op, facts) + error_part(op, facts.measured) +
         speed_part(op, facts.measured) + where_used(op, facts);
}

}  // namespace regard::site
