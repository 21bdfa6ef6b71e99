// Loops over registers: every count, so that the last register is filled to every degree.
#include "tensor/loops/registers.h"
#include "tensor/loops/sum_row.h"
#include "tests/catch.h"

#include <numeric>
#include <vector>

namespace regard::loops {
namespace {

// −7, 6, −5, 4, …: the largest is neither first nor last.
template <class T>
std::vector<T> numbers(std::int64_t count) {
  std::vector<T> x;
  for (std::int64_t i = 0; i < count; ++i) x.push_back(static_cast<T>((i % 2 ? 1 : -1) * std::abs(i - 7)));
  return x;
}

template <class T>
void check_counts() {
  for (std::int64_t count = 0; count <= 150; ++count) {
    CAPTURE(sizeof(T), count);
    const std::vector<T> x = numbers<T>(count), y(x.rbegin(), x.rend());
    std::vector<T> z(static_cast<std::size_t>(count) + 1, T{99}), expected = z;
    for (std::size_t i = 0; i < x.size(); ++i) expected[i] = 2 * x[i] - y[i];
    each(
        z.data(), count, [](auto a, auto b) { return 2 * a - b; }, x.data(), y.data());
    CHECK(z == expected);  // and what is behind the last is left alone
    each(
        z.data(), count, [](auto a) { return a + 1; }, z.data());  // in place
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(z[i] == expected[i] + 1);

    const T nothing = -std::numeric_limits<T>::infinity();
    CHECK(largest_of(x.data(), count) == (x.empty() ? nothing : *std::max_element(x.begin(), x.end())));
    CHECK(sum_row<T>(count, [from = x.data()](auto at) { return at(from) * at(from); }) ==
          std::inner_product(x.begin(), x.end(), x.begin(), T{0}));
  }
}

}  // namespace

TEST_CASE("registers: element by element, largest and sum, of every count") {
  check_counts<float>();
  check_counts<double>();
}

TEST_CASE("registers: the largest passes NaN over wherever it stands") {
  for (std::int64_t count = 2; count <= 150; ++count)
    for (std::int64_t at = 0; at < count; ++at) {
      std::vector<float> x(static_cast<std::size_t>(count), -2.0f);
      x[static_cast<std::size_t>(count - 1 - at / 2)] = -1;
      x[static_cast<std::size_t>(at / 3)] = NAN;
      const bool hidden = at / 3 == count - 1 - at / 2;
      if (largest_of(x.data(), count) != (hidden ? -2.0f : -1.0f)) FAIL("count " << count << ", NaN at " << at / 3);
    }
}

}  // namespace regard::loops
