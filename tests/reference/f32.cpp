// In f32 rounding shows, and how much of it is due differs between operations. PyTorch's own f32 tells: with the same
// inputs rounded to f32 it is so far from its f64, and we may be four times as far.

#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/evaluate.h"

#include <algorithm>
#include <limits>

namespace regard::reference {
namespace {

constexpr double ulp = std::numeric_limits<float>::epsilon();

// Where PyTorch happens to be exact, two units in the last place stand for its error.
double allowed(double theirs) { return 4 * std::max(theirs, 2 * ulp); }

void check(const std::string& what, const Tensor& ours, const Tensor& reference, double floor, double theirs) {
  const Deviation found = deviation(ours, reference, floor);
  INFO(what);
  INFO(found.message);
  INFO("PyTorch's own error in f32 is " << theirs);
  CHECK(found.worst <= allowed(theirs));
}

}  // namespace

TEST_CASE("f32: outputs are as accurate as PyTorch's, and of its dtype") {
  for_each_subject(DType::f32, [](const Record& record, const Results& ours) {
    check("output", ours.output, record.output, record.floor, record.f32.output);
    CHECK(ours.output.dtype() == record.f32.dtype);
  });
}

TEST_CASE("f32: gradients are as accurate as PyTorch's, and of the dtype of the inputs") {
  for_each_subject(DType::f32, [](const Record& record, const Results& ours) {
    for (std::size_t i = 0; i < record.gradients.size(); ++i) {
      check(fmt::format("gradient {}", i), ours.gradients[i], record.gradients[i], record.floor,
            record.f32.gradients[i]);
      CHECK(ours.gradients[i].dtype() == DType::f32);
    }
  });
}

}  // namespace regard::reference
