#include "examples/book/site/operations/overview.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>

#include "autograd/op_list.h"
#include "examples/book/site/operations/measured.h"
#include "examples/book/site/operations/measured_parts.h"
#include "examples/book/site/operations/operation_page.h"
#include "examples/book/site/operations/sources.h"
#include "examples/book/site/operations/words.h"
#include "examples/book/site/text.h"

namespace regard::site {

namespace {

std::string begun_large(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

// A number of one of the maps, written, or nothing.
template <class Map, class Write>
std::string shown(const Map& map, const char* name, Write write) {
  const auto found = map.find(name);
  return found == map.end() ? "" : write(found->second);
}

std::string row_of(const OpInfo& op, const Measured& measured) {
  std::string row = fmt::format("| [{0}](operations/{0}.md) | {1} | {2} | {3} |", op.name, as_markdown(op.formula),
                                as_markdown(op.rule), words_for(op.kind));
  if (!measured.pytorch.empty())
    row += " " +
           shown(measured.pytorch, op.name,
                 [](const Measured::Peer& peer) {
                   return power_of_ten(std::max({peer.output, peer.gradients.value_or(0), peer.second.value_or(0)}));
                 }) +
           " |";
  if (!measured.slopes.empty())
    row += " " +
           shown(measured.slopes, op.name,
                 [](const Measured::Slopes& slopes) { return power_of_ten(std::max(slopes.first, slopes.second)); }) +
           " |";
  if (!measured.speed.empty())
    row += " " +
           shown(measured.speed, op.name, [](const Measured::Speed& speed) { return in_millions(speed.forward); }) +
           " |";
  return row + "\n";
}

std::string head_of_table(const Measured& measured) {
  std::string head = "| operation | formula | rule | kind |", line = "|---|---|---|---|";
  const auto column = [&](bool there, const char* title) {
    if (!there) return;
    head += std::string(" ") + title + " |";
    line += "---|";
  };
  column(!measured.pytorch.empty(), "error (PyTorch)");
  column(!measured.slopes.empty(), "error (slopes)");
  column(!measured.speed.empty(), "millions a second");
  return head + "\n" + line + "\n";
}

std::string words_on_numbers(const Measured& measured) {
  std::string text;
  if (!measured.pytorch.empty())
    text +=
        "- **Error (PyTorch)** is the largest relative deviation of outputs, gradients and second derivatives from "
        "those "
        "of PyTorch, in f64; a number below 0.1 counts as 0.1, since it is a sum of larger ones that cancel.\n";
  if (!measured.slopes.empty())
    text +=
        "- **Error (slopes)** is the largest relative difference between a gradient, or a gradient of a gradient, and "
        "the "
        "slope measured between two close points; slopes have about ten digits.\n";
  if (!measured.speed.empty())
    text += fmt::format(
        "- **Millions a second** are how many elements the operation takes in a second, forward, in f32, timed on {} "
        "with {}.\n",
        as_markdown(measured.processor), counted(measured.threads, "thread"));
  if (text.empty()) return std::string("Errors and speed were not measured here. ") + how_to_measure + "\n";
  if (!measured.commit.empty()) text += fmt::format("\nMeasured at commit `{}`.", measured.commit);
  return text + "\n";
}

}  // namespace

std::map<std::string, std::string> parts_of_op_list(const SourceFile& op_list) {
  std::map<std::string, std::string> parts;
  std::string part;
  for (const std::string& line : op_list.lines) {
    const std::string text = trimmed(line);
    if (text.starts_with("// ") && !text.starts_with("// book: ")) part = text.substr(3);
    if (text.starts_with("{\"")) parts[text.substr(2, text.find('"', 2) - 2)] = part;
  }
  return parts;
}

std::string overview_page(const SourceFile& op_list_source, const Measured& measured) {
  std::string text = fmt::format(
      "# All operations\n\nWhatever the library computes with Variables is made of the {} operations of one table, "
      "`autograd/op_list.h`. This page and those of the operations are made from it. In a rule, y is the result, g the "
      "gradient that arrives at it, and ∂x the gradient that is handed on to an input x. Where a rule begins with =, "
      "the "
      "operation is composed of others, and their rules do the work.\n\n{}",
      op_list.size(), words_on_numbers(measured));
  const auto parts = parts_of_op_list(op_list_source);
  std::string part;
  for (const OpInfo& op : op_list) {
    if (const std::string& its = parts.at(op.name); its != part) {
      part = its;
      text += fmt::format("\n## {}\n\n{}", as_markdown(begun_large(part)), head_of_table(measured));
    }
    text += row_of(op, measured);
  }
  return text;
}

}  // namespace regard::site
