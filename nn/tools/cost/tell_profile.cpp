#include "nn/tools/cost/profile.h"
#include "nn/tools/explain/document.h"

#include <algorithm>

namespace regard {
namespace {

std::string milliseconds(double seconds) { return fmt::format("{:.3g}", seconds * 1e3); }
std::string giga(double x) { return fmt::format("{:.3g}", x / 1e9); }

void tell(Document& document, const std::string& what, const std::vector<ProfiledCost>& costs, const Profile& all) {
  std::vector<Document::Row> rows;
  for (const ProfiledCost& one : costs) {
    const bool has_products = one.cost.multiply_adds > 0;
    rows.push_back({one.name, std::to_string(one.cost.operations), milliseconds(one.forward),
                    milliseconds(one.backward), fmt::format("{:.3g} %", 100 * one.seconds() / all.total.seconds()),
                    has_products ? giga(one.flops()) : "",
                    has_products ? fmt::format("{:.2g} %", 100 * one.flops() / all.limits.flops) : "",
                    one.forward > 0 ? giga(one.cost.bytes / one.forward) : "", bound_by(one, all.limits)});
  }
  document.heading("Time by " + what);
  document.table(
      {what, "times", "forward, ms", "backward, ms", "of all", "GFLOP/s", "of the limit", "GB/s forward", "bound by"},
      rows);
}

Document document_of(const Profile& profile) {
  Document document;
  std::vector<ProfiledCost> by_operation = profile.by_operation;
  by_operation.push_back(profile.total);
  tell(document, "operation", by_operation, profile);
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

fmt::format_context::iterator fmt::formatter<regard::Profile>::format(const regard::Profile& profile,
                                                                      fmt::format_context& context) const {
  return write(regard::to_text(profile), context);
}
