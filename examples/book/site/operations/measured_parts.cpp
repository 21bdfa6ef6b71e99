#include "examples/book/site/operations/measured_parts.h"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "autograd/op_list.h"
#include "examples/book/site/operations/measured.h"
#include "examples/book/site/operations/words.h"

namespace regard::site {

namespace {

std::string cell(const std::optional<double>& error) { return error ? power_of_ten(*error) : "–"; }

std::string next_to_pytorch(const Measured::Peer& peer) {
  std::string text = "### Next to PyTorch\n\n| | in f64 | in f32 | PyTorch's f32 |\n|---|---|---|---|\n";
  text += fmt::format("| outputs | {} | {} | {} |\n", power_of_ten(peer.output), power_of_ten(peer.output_f32),
                      power_of_ten(peer.output_f32_pytorch));
  if (peer.gradients) {
    text += fmt::format("| gradients | {} | {} | {} |\n", cell(peer.gradients), cell(peer.gradients_f32),
                        cell(peer.gradients_f32_pytorch));
    text += fmt::format("| second derivatives | {} | – | – |\n", cell(peer.second));
  }
  return text +
         fmt::format(
             "\nThe largest deviation from what PyTorch computes in f64, of {} numbers in {}. It is divided by the "
             "size of PyTorch's number, or by 0.1 where that is smaller: such numbers are often sums of larger ones "
             "that cancel. The last column is how far PyTorch's own f32 is from its f64: so much is due to "
             "rounding.\n\n",
             with_commas(peer.numbers), counted(peer.cases, "case"));
}

std::string next_to_slopes(const Measured::Slopes& slopes) {
  return fmt::format(
      "### Next to measured slopes\n\n| | in f64 |\n|---|---|\n| gradients | {} |\n| gradients of gradients | {} |\n\n"
      "The largest relative difference between what the rule gives and the slope between two close points, "
      "of {} in {}. {} [Chapter 6](../06_checking_gradients.md) tells how slopes are measured.\n",
      power_of_ten(slopes.first), power_of_ten(slopes.second), counted(slopes.elements, "element"),
      counted(slopes.cases, "case"), slopes.passed ? "The check passes." : "**The check does not pass.**");
}

}  // namespace

std::string picture_part(const OpInfo& op, const Measured& measured) {
  if (const auto curve = measured.curves.find(op.name); curve != measured.curves.end())
    return fmt::format(
        "\n![A curve of {0}, and one of its slope]({0}.svg)\n\n*The function, and its slope as its rule "
        "gives it. The case is `{1}` of the gradient checks.*\n",
        op.name, curve->second.of);
  if (const auto influence = measured.influences.find(op.name); influence != measured.influences.end())
    return fmt::format(
        "\n![A table of squares: how much each output of {0} moves with each input]({0}.svg)\n\n*How much "
        "each output (a row) moves with each input (a column): red for more, blue for less, white for "
        "not at all. The case is `{1}` of the gradient checks; its numbers stand in the order in which "
        "they lie in memory.*\n",
        op.name, influence->second.of);
  return "";
}

std::string error_part(const OpInfo& op, const Measured& measured) {
  std::string text = "\n## How exact it is\n\n";
  const auto peer = measured.pytorch.find(op.name);
  const auto slopes = measured.slopes.find(op.name);
  if (peer == measured.pytorch.end() && slopes == measured.slopes.end())
    return text + "This was not measured here. " + how_to_measure + "\n";
  if (!measured.commit.empty()) text += fmt::format("Measured at commit `{}`.\n\n", measured.commit);
  if (peer != measured.pytorch.end()) text += next_to_pytorch(peer->second);
  if (slopes != measured.slopes.end()) text += next_to_slopes(slopes->second);
  if (op.kind == OpKind::not_differentiable) text += "There is no gradient to check.\n";
  return text;
}

std::string speed_part(const OpInfo& op, const Measured& measured) {
  std::string text = "\n## How fast it is\n\n";
  if (measured.speed.empty()) return text + "This was not measured here. " + how_to_measure + "\n";
  const auto speed = measured.speed.find(op.name);
  if (speed == measured.speed.end())
    return text + "It is not timed alone. Chapters [16](../16_cost.md) and [17](../17_machine.md) are about speed.\n";
  text += fmt::format("| | elements in a second |\n|---|---|\n| forward | {} |\n", per_second(speed->second.forward));
  if (speed->second.both) text += fmt::format("| forward and backward | {} |\n", per_second(*speed->second.both));
  return text + fmt::format(
                    "\nThe median of seven calls, in f32, with inputs {}, on {} with {}. Another machine gives other "
                    "numbers, and so does this one while it is busy.\n",
                    as_markdown(speed->second.shapes), as_markdown(measured.processor),
                    counted(measured.threads, "thread"));
}

}  // namespace regard::site
