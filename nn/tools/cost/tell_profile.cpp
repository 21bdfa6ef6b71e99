#include "nn/tools/cost/profile.h"
#include "nn/tools/explain/document.h"

#include <algorithm>

namespace regard {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.3g}", seconds * 1e3); }
std::string giga(double x) { return fmt::format("{:.3g}", x / 1e9); }

void tell(Document& document, const std::string& what, std::vector<NamedCost> costs, const Profile& all) {
  costs.push_back({"all", all.total});
  std::vector<Document::Row> rows;
  for (const auto& [name, cost] : costs) {
    const bool has_products = cost.multiply_adds > 0;
    rows.push_back({name, std::to_string(cost.operations), milliseconds(cost.forward), milliseconds(cost.backward),
                    fmt::format("{:.3g} %", 100 * cost.seconds() / all.total.seconds()),
                    has_products ? giga(cost.flops()) : "",
                    has_products ? fmt::format("{:.2g} %", 100 * cost.flops() / all.limits.flops) : "",
                    cost.forward > 0 ? giga(cost.bytes / cost.forward) : "", bound_by(cost, all.limits)});
  }
  document.heading("Time by " + what);
  document.table(
      {what, "times", "forward, ms", "backward, ms", "of all", "GFLOP/s", "of the limit", "GB/s forward", "bound by"},
      rows);
}

Document document_of(const Profile& profile) {
  Document document;
  tell(document, "operation", profile.by_operation, profile);
  if (!profile.by_module.empty()) tell(document, "module", profile.by_module, profile);
  document.sentence(
      fmt::format("The machine's limits, measured: {} GFLOP/s, {} GB/s. Operations that have no gradient "
                  "took {} ms more.",
                  giga(profile.limits.flops), giga(profile.limits.bytes), milliseconds(profile.not_recorded)));
  return document;
}

}  // namespace

std::string to_text(const Profile& profile) { return document_of(profile).text(); }
std::string to_markdown(const Profile& profile) { return document_of(profile).markdown(); }

}  // namespace regard
