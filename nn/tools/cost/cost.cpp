#include "nn/tools/cost/cost.h"

#include "nn/tools/explain/document.h"
#include "nn/tools/explain/modules.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace regard {
namespace {

std::vector<NamedCost> sorted(const std::map<std::string, Cost>& costs) {
  std::vector<NamedCost> list;
  for (const auto& [name, cost] : costs) list.push_back({name, cost});
  std::stable_sort(list.begin(), list.end(), [](const NamedCost& a, const NamedCost& b) {
    return std::tuple(a.cost.seconds(), a.cost.multiply_adds, a.cost.bytes) >
           std::tuple(b.cost.seconds(), b.cost.multiply_adds, b.cost.bytes);
  });
  return list;
}

// 1234567 → "1.23 M"
std::string short_number(double x) {
  for (const auto& [unit, size] : {std::pair("G", 1e9), std::pair("M", 1e6), std::pair("k", 1e3)})
    if (x >= size) return fmt::format("{:.3g} {}", x / size, unit);
  return fmt::format("{:.3g}", x);
}

Document::Row row_of(const std::string& name, const Cost& cost) {
  return {name,
          std::to_string(cost.operations),
          short_number(cost.multiply_adds),
          short_number(cost.backward_multiply_adds),
          short_number(cost.elements),
          short_number(cost.bytes),
          short_number(cost.memory),
          fmt::format("{:.3g}", cost.per_byte())};
}

void tell(Document& document, const std::string& what, const std::vector<NamedCost>& costs, const Cost& total) {
  std::vector<Document::Row> rows;
  for (const auto& [name, cost] : costs) rows.push_back(row_of(name, cost));
  rows.push_back(row_of("all", total));
  document.heading("Cost by " + what);
  document.table({what, "times", "multiply-adds", "backward", "other elements", "bytes moved", "bytes kept",
                  "multiply-adds a byte"},
                 rows);
}

Document document_of(const Costs& costs) {
  Document document;
  tell(document, "operation", costs.by_operation, costs.total);
  if (!costs.by_module.empty()) tell(document, "module", costs.by_module, costs.total);
  return document;
}

}  // namespace

Cost& Cost::operator+=(const Cost& more) {
  operations += more.operations;
  multiply_adds += more.multiply_adds;
  backward_multiply_adds += more.backward_multiply_adds;
  elements += more.elements;
  bytes += more.bytes;
  memory += more.memory;
  forward += more.forward;
  backward += more.backward;
  return *this;
}

double Cost::flops() const { return seconds() > 0 ? 2 * (multiply_adds + backward_multiply_adds) / seconds() : 0; }

Costs added_up(const graph::Trace& steps, const std::vector<NamedParameter>& names,
               const std::function<Cost(std::size_t step)>& cost_of) {
  const std::vector<ModulePath> modules = names.empty() ? std::vector<ModulePath>() : modules_of(steps, names);
  Costs costs;
  std::map<std::string, Cost> by_operation, by_module;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!steps[i].op()) continue;
    const Cost one = cost_of(i);
    costs.total += one;
    by_operation[steps[i].op()->name] += one;
    if (names.empty()) continue;
    ModulePath path = modules[i];
    if (path.empty()) by_module["outside"] += one;
    for (; !path.empty(); path.pop_back()) by_module[name_of(path)] += one;
  }
  costs.by_operation = sorted(by_operation);
  costs.by_module = sorted(by_module);
  return costs;
}

Costs cost(const Variable& y, const std::vector<NamedParameter>& names) {
  const graph::Trace steps = graph::trace("cost", y);
  return added_up(steps, names, [&](std::size_t i) { return cost_of_operation(steps[i].result); });
}

std::string to_text(const Costs& costs) { return document_of(costs).text(); }
std::string to_html(const Costs& costs) { return document_of(costs).html("What it costs"); }

}  // namespace regard
