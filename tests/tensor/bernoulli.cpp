#include "tensor/all.h"
#include "tests/tensor/error_case.h"

#include <cmath>

namespace regard {

TEST_CASE("bernoulli: its values and their share") {
  Generator generator(1);
  for (const double p : {0.0, 0.1, 0.5, 0.97, 1.0}) {
    const Tensor x = bernoulli({300, 333}, generator, p, 2.5, DType::f64);
    const double hits = sum(equal(x, 2.5)).item(), count = 300 * 333;
    CHECK(hits + sum(equal(x, 0)).item() == count);
    CHECK(std::abs(hits - p * count) <= 5 * std::sqrt(p * (1 - p) * count));
  }
}

TEST_CASE("bernoulli: neighbours are independent, among the four of a position and across") {
  Generator generator(2);
  const Tensor x = subtract(bernoulli({100000}, generator, 0.5, 2, DType::f64), 1);  // ±1
  for (std::int64_t shift = 1; shift <= 8; ++shift) {
    const double sum_of_products = sum(slice(x, 0, shift) * slice(x, 0, 0, -shift)).item();
    CHECK(std::abs(sum_of_products) < 5 * std::sqrt(100000.0));
  }
}

TEST_CASE("bernoulli: the stream fixes the elements, in either dtype and for any number of threads", "[threads]") {
  const int before = thread_count();
  Generator one(3), two(3), three(3);
  set_thread_count(1);
  const Tensor x = bernoulli({50001}, one, 0.3);
  set_thread_count(7);
  CHECK(identical(bernoulli({50001}, two, 0.3), x));
  CHECK(identical(to(bernoulli({50001}, three, 0.3, 1, DType::f64), DType::f32), x));
  set_thread_count(before);
  CHECK(one.position() == 12501);
  Generator continued(3, 12501);
  CHECK(identical(bernoulli({9}, continued, 0.3), bernoulli({9}, one, 0.3)));
  CHECK(bernoulli({0, 4}, one, 0.3).shape() == Shape{0, 4});
  CHECK(one.position() == 12501 + 3);
}

TEST_CASE("errors: bernoulli") {
  Generator generator(1);
  check_errors({
      {[&] { bernoulli({2}, generator, 1.5); }, "ValueError", "bernoulli: the probability 1.5 is outside [0, 1]"},
      {[&] { bernoulli({2}, generator, NAN); }, "ValueError", "bernoulli: the probability nan is outside [0, 1]"},
      {[&] { bernoulli({2}, generator, 0.5, 1, DType::i64); }, "DTypeError",
       "bernoulli: needs f32 or f64, got i64 (convert with to(x, DType::f32))"},
  });
}

}  // namespace regard
