#include "autograd/gradcheck/gradcheck.h"

namespace regard {

std::string_view gradchecks::name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::pass: return "PASS";
    case Verdict::fail: return "FAIL";
    case Verdict::vacuous: return "VACUOUS";
    case Verdict::kink: return "KINK";
    case Verdict::float32: return "FLOAT32";
  }
  return "?";
}

std::string to_string(const GradcheckReport& report) {
  std::vector<std::string> shapes;
  for (const Shape& shape : report.shapes) shapes.push_back(to_string(shape));
  const std::string inputs = report.named ? fmt::format("{} inputs", shapes.size()) : join_words(shapes, "  ");
  std::string line = fmt::format("{}   {} elements   worst {:.1e}   {}", inputs, report.element_count,
                                 std::max(report.worst, report.worst_second), name_of(report.verdict));
  if (!report.reason.empty()) line += fmt::format("\n  {}", report.reason);
  return line;
}

}  // namespace regard
