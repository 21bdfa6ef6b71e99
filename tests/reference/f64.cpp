// In f64 both sides round the same real numbers, and agree to 13 digits. Numbers below 0.1 are sums of larger ones that
// cancel: their errors are measured as if they were 0.1 (Record::floor).

#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/evaluate.h"

namespace regard::reference {
namespace {

constexpr double tolerance = 1e-13;

void check(const std::string& what, const Tensor& ours, const Tensor& reference, double floor) {
  INFO(what);
  CHECK(ours.dtype() == reference.dtype());
  const Deviation found = deviation(ours, reference, floor);
  INFO(found.message);
  CHECK(found.worst <= tolerance);
}

}  // namespace

TEST_CASE("f64: outputs are PyTorch's") {
  for_each_subject(DType::f64, [](const Record& record, const Results& ours) {
    check("output", ours.output, record.output, record.floor);
  });
}

TEST_CASE("f64: gradients are PyTorch's") {
  for_each_subject(DType::f64, [](const Record& record, const Results& ours) {
    for (std::size_t i = 0; i < record.gradients.size(); ++i)
      check(fmt::format("gradient {}", i), ours.gradients[i], record.gradients[i], record.floor);
  });
}

TEST_CASE("f64: second derivatives are PyTorch's") {
  for_each_subject(DType::f64, [](const Record& record, const Results& ours) {
    for (std::size_t i = 0; i < record.second.size(); ++i)
      check(fmt::format("second derivative {}", i), ours.second[i], record.second[i], record.floor);
  });
}

}  // namespace regard::reference
