// x·2ⁿ is one instruction on some processors, and a few steps on others. Both must be the same, as results would differ
// between an element that is computed in a register and one that is computed alone.
#include "tensor/math/scale.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <vector>

namespace regard::math {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<float> powers_to_try() {
  std::vector<float> n{infinity, -infinity, NAN, 1e4f, -1e4f, 0x1p22f, -0x1p22f, 1e30f, -1e30f};
  for (int i = -400; i <= 400; ++i) n.push_back(static_cast<float>(i));
  return n;
}

// The library's ldexp rounds once.
float truth(float x, float n) {
  if (std::isnan(n)) return n;
  return std::ldexp(x, static_cast<int>(std::clamp(n, -1000.0f, 1000.0f)));
}

bool same(float a, float b) { return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b)); }

}  // namespace

TEST_CASE("scale: the instruction, the steps and ldexp agree for all n") {
  const float below_two = std::nextafter(2.0f, 0.0f), third = 1.0f / 3;
  for (const float x : {1.0f, -1.0f, 1.5f, below_two, third, -third, 0x1.000002p-3f, 0x1.555556p99f, -0x1p100f,
                        0x1p-100f, 0x1.fffffep-100f})
    for (const float n : powers_to_try()) {
      CAPTURE(x, n);
      const Floats scaled = scale(all<Floats>(x), all<Floats>(n)),
                   in_steps = scale_in_steps(all<Floats>(x), all<Floats>(n));
      CHECK(same(scaled[0], truth(x, n)));
      CHECK(same(in_steps[0], truth(x, n)));
      CHECK(same(scale(x, n), truth(x, n)));
    }
}

TEST_CASE("scale: by 2⁰ it changes nothing") {
  const float least = std::numeric_limits<float>::denorm_min();
  for (const float x : {0.0f, -0.0f, least, -3 * least, 0x1p-126f, std::numeric_limits<float>::max(), infinity, NAN}) {
    CAPTURE(x);
    CHECK(same(scale(all<Floats>(x), Floats{})[0], x));
    CHECK(same(scale(x, 0.0f), x));
  }
}

}  // namespace regard::math
