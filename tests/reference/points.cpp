// At the edges of arithmetic, each dtype by itself: what overflows in f32 need not in f64.

#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/evaluate.h"
#include "tests/reference/exemptions.h"

namespace regard::reference {
namespace {

double tolerance_at(DType dtype) { return dtype == DType::f64 ? 1e-14 : 1e-6; }

// Compares all that a dtype has, and counts the differences that each exemption accounts for.
class Comparison {
 public:
  explicit Comparison(DType dtype) : dtype_(dtype), used_(exemptions().size(), 0) {}

  void check(const std::string& id, const std::string& quantity, const Tensor& ours, const Tensor& reference,
             double floor) {
    INFO(id << ", " << quantity << ", " << name_of(dtype_));
    CHECK(ours.dtype() == reference.dtype());
    REQUIRE(ours.shape() == reference.shape());
    std::vector<double> a = to_vector(ours);
    const std::vector<double> b = to_vector(reference);
    for (std::size_t i = 0; i < a.size(); ++i)
      if (relative_error(a[i], b[i], floor) > tolerance_at(dtype_) && is_exempt(id, quantity, a[i])) a[i] = b[i];
    const Deviation found = deviation(tensor(a, ours.shape(), DType::f64), reference, floor);
    INFO(found.message);
    CHECK(found.worst <= tolerance_at(dtype_));
  }

  void check_exemptions() const {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Exemption& e = exemptions()[i];
      INFO("exempt: " << e.id << ", " << e.quantity << ", " << name_of(dtype_) << ": " << e.reason);
      CHECK(used_[i] == e.elements + (dtype_ == DType::f32 ? e.more_in_f32 : 0));
    }
  }

 private:
  bool is_exempt(const std::string& id, const std::string& quantity, double ours) {
    for (std::size_t i = 0; i < used_.size(); ++i) {
      const Exemption& e = exemptions()[i];
      if (id != e.id || quantity != e.quantity || relative_error(ours, e.ours, 0) > tolerance_at(dtype_)) continue;
      ++used_[i];
      return true;
    }
    return false;
  }

  DType dtype_;
  std::vector<int> used_;
};

}  // namespace

TEST_CASE("points: outputs and gradients are PyTorch's, except where exempt") {
  for (const DType dtype : {DType::f64, DType::f32}) {
    Comparison comparison(dtype);
    for (const Record& record : point_records(dtype)) {
      INFO(record.id);
      const Results ours = evaluate(point_cases().at(record.id), record, dtype);
      comparison.check(record.id, "output", ours.output, record.output, record.floor);
      for (std::size_t i = 0; i < record.gradients.size(); ++i)
        comparison.check(record.id, fmt::format("gradient {}", i), ours.gradients[i], record.gradients[i],
                         record.floor);
    }
    comparison.check_exemptions();
  }
}

}  // namespace regard::reference
