#include "nn/tools/explain/document.h"
#include "nn/tools/explain/explain.h"

#include <cmath>

namespace regard {
namespace {

constexpr std::size_t most_uses = 10;  // that have a row each

std::string number(double y) { return fmt::format("{:.4g}", y); }

void tell_uses(Document& document, const Explanation& told) {
  if (told.uses.empty()) return;
  document.sentence(fmt::format("The paths part at {}, which is used {} times. These add up to the derivative:",
                                told.parts_at, told.uses.size()));
  std::vector<Document::Row> rows;
  double rest = 0;
  for (const ExplainedUse& use : told.uses) {
    if (rows.size() < most_uses)
      rows.push_back({number(use.contribution), "through " + use.operation});
    else
      rest += use.contribution;
  }
  if (told.uses.size() > most_uses)
    rows.push_back({number(rest), fmt::format("through the other {}", told.uses.size() - most_uses)});
  document.table({"contributes", "what"}, rows);
}

std::string about_paths(const Explanation& told) {
  if (told.path_count == 0) return "No path of operations leads from one to the other.";
  if (told.path_count == 1) return "One path of operations leads from one to the other.";
  const std::string all =
      fmt::format("{} paths lead from one to the other.",
                  std::isinf(told.path_count) ? "More than 10³⁰⁸" : fmt::format("{:.10g}", told.path_count));
  if (told.paths.empty()) return all;
  if (told.compared_all) return fmt::format("{} The {} that contribute most:", all, told.paths.size());
  return fmt::format("{} {} large ones, found by going on where the sum of all paths is largest:", all,
                     told.paths.size());
}

void tell_path(Document& document, const ExplainedPath& path, std::size_t number_of_path) {
  document.heading(fmt::format("Path {} contributes {}", number_of_path, number(path.contribution)));
  document.sentence(
      fmt::format("From the loss back. Each row is one element, the one that passes most; these elements "
                  "alone pass {}.",
                  number(path.carried)));
  std::vector<Document::Row> rows;
  for (const ExplainedStep& step : path.steps)
    rows.push_back({step.operation + step.element, number(step.value), number(step.arrives), number(step.slope),
                    number(step.arrives * step.slope), step.input + step.input_element, number(step.contribution),
                    step.numbers.empty() ? step.formula : step.numbers});
  document.table({"operation", "value", "arrives", "× slope", "= passes on", "to", "all paths here", "formula"}, rows);
}

std::string title_of(const Explanation& told) { return fmt::format("∂loss/∂({})", told.variable); }

Document document_of(const Explanation& told) {
  Document document;
  if (told.disagrees)
    document.sentence(fmt::format(
        "The rules give {}, but the measured slope is {}: the rule of some operation is wrong, or a number left the "
        "record on the way, by item(), value() or detach(). bisect(f, {{x, …}}) finds which, where f computes the loss "
        "from these inputs; for a model, nn::bisect_module does. What follows explains the number of the rules.",
        number(told.gradient), number(*told.measured)));
  document.heading(fmt::format("{} = {}", title_of(told), number(told.gradient)));
  if (told.measured) document.sentence(fmt::format("Measured over a small step: {}.", number(*told.measured)));
  tell_uses(document, told);
  document.sentence(about_paths(told));
  for (std::size_t i = 0; i < told.paths.size(); ++i) tell_path(document, told.paths[i], i + 1);
  return document;
}

}  // namespace

std::string to_text(const Explanation& explanation) { return document_of(explanation).text(); }
std::string to_html(const Explanation& explanation) { return document_of(explanation).html(title_of(explanation)); }

}  // namespace regard
