// In f32 rounding shows, and how much of it is due differs between operations. PyTorch's own f32 tells: with the same
// inputs rounded to f32 it is so far from its f64, and we may be four times as far.

#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/evaluate.h"

namespace regard::reference {
namespace {

void check(const std::string& what, const Tensor& ours, const Tensor& reference, double floor, double theirs) {
  const Deviation found = deviation(ours, reference, floor);
  INFO(what);
  INFO(found.message);
  INFO("PyTorch's own error in f32 is " << theirs);
  CHECK(found.worst <= allowed_in_f32(theirs));
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
