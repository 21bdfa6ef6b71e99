#include "tests/reference/deviation.h"

#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace regard::reference {

double relative_error(double ours, double reference, double floor) {
  if (ours == reference || (std::isnan(ours) && std::isnan(reference))) return 0;
  // Below 1e−38, the smallest normal f32, digits go missing: such numbers are measured as if they had that size.
  const double error = std::abs(ours - reference) / std::max({std::abs(reference), floor, 1e-38});
  return std::isnan(error) ? inf : error;
}

Deviation deviation(const Tensor& ours, const Tensor& reference, double floor) {
  if (ours.shape() != reference.shape())
    return {0, inf, fmt::format("regard has shape {}, PyTorch {}", ours.shape(), reference.shape())};
  const std::vector<double> a = to_vector(ours), b = to_vector(reference);
  Deviation result;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double error = relative_error(a[i], b[i], floor);
    ++result.count;
    if (error <= result.worst) continue;
    result.worst = error;
    result.message =
        fmt::format("element {}: regard {:.17g}, PyTorch {:.17g}, relative error {:.1e}", i, a[i], b[i], error);
  }
  return result;
}

Deviation deviation_of_all(const std::vector<Tensor>& ours, const std::vector<Tensor>& reference, double floor) {
  Deviation all;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const Deviation one = deviation(ours[i], reference[i], floor);
    all.count += one.count;
    if (one.worst <= all.worst) continue;
    all.worst = one.worst;
    all.message = one.message;
  }
  return all;
}

double allowed_in_f32(double theirs) { return 4 * std::max(theirs, 2.0 * std::numeric_limits<float>::epsilon()); }

TEST_CASE("deviations are relative, and measured against the floor below it") {
  CHECK(relative_error(101, 100, 0.1) == Approx(0.01));
  CHECK(relative_error(-100, 100, 0.1) == Approx(2));
  CHECK(relative_error(0.002, 0.001, 0.1) == Approx(0.01));
  CHECK(relative_error(2e-30, 1e-30, 0) == Approx(1));
  CHECK(relative_error(0, -0.0, 0) == 0);
}

TEST_CASE("infinities and NaN agree with their like only") {
  CHECK(relative_error(nan, nan, 0) == 0);
  CHECK(relative_error(inf, inf, 0) == 0);
  for (const auto& [a, b] : {std::pair{nan, 1.0}, {1.0, nan}, {inf, 1.0}, {1.0, inf}, {inf, -inf}, {nan, inf}})
    CHECK(relative_error(a, b, 1) == inf);
}

TEST_CASE("a deviation tells where it is worst") {
  const Tensor reference = tensor({1, 2, 4}, DType::f64);
  CHECK(deviation(reference, reference, 0).count == 3);
  CHECK(deviation(reference, reference, 0).worst == 0);
  const Deviation wrong = deviation(tensor({1, 3, 5}, DType::f64), reference, 0);
  CHECK(wrong.worst == 0.5);
  CHECK(wrong.message == "element 1: regard 3, PyTorch 2, relative error 5.0e-01");
  const Tensor nearer = tensor({1, 2, 5}, DType::f64);
  const Deviation all = deviation_of_all({nearer, tensor({1, 3, 5}, DType::f64), nearer}, {3, reference}, 0);
  CHECK(all.count == 9);
  CHECK(all.worst == 0.5);
  CHECK(all.message == wrong.message);
  CHECK(deviation(tensor({{1, 2, 4}}, DType::f64), reference, 0).worst == inf);
}

}  // namespace regard::reference
