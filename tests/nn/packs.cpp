// Functions that packs of numbers compute in their own way.
#include "tensor/attention/engine/softmax_rows.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::engine {
namespace {

// In all lanes alike.
float computed(const std::function<Pack<float>(Pack<float>)>& f, double x) {
  alignas(64) float lanes[Pack<float>::size];
  f(Pack<float>(x)).store(lanes);
  for (const float lane : lanes)
    if (lane != lanes[0] && !std::isnan(lane)) FAIL("lanes differ: " << lane << " and " << lanes[0]);
  return lanes[0];
}

// The largest relative error over numbers of all sizes between low and high, and of both signs if asked.
template <class F, class Exact>
double worst_error(const F& f, const Exact& exact, double low, double high, bool both_signs, double step = 1.003) {
  double worst = 0;
  for (double size = low; size < high; size *= step)
    for (const float x : {static_cast<float>(size), static_cast<float>(-size)}) {
      if (x < 0 && !both_signs) continue;
      const double truth = exact(static_cast<double>(x));
      worst = std::max(worst, std::abs(computed(f, x) - truth) / std::abs(truth));
    }
  return worst;
}

}  // namespace

TEST_CASE("packs: tanh is within 4e-7, everywhere, and never beyond 1") {
  const auto tanh_of_pack = [](Pack<float> x) { return tanh(x); };
  CHECK(worst_error(
            tanh_of_pack, [](double x) { return std::tanh(x); }, 1e-30, 1e30, true) < 4e-7);
  CHECK(computed(tanh_of_pack, 0) == 0);
  CHECK(worst_error(
            tanh_of_pack, [](double x) { return std::tanh(x); }, 1, 10, true, 1 + 1e-5) < 4e-7);
  for (const double far : {9.0, 9.5, 20.0, 1e10, 1e30, inf}) {
    CHECK(computed(tanh_of_pack, far) == 1);
    CHECK(computed(tanh_of_pack, -far) == -1);
  }
  float largest = 0;
  for (double x = 8; x < 9.1; x += 1e-5) largest = std::max(largest, computed(tanh_of_pack, x));
  CHECK(largest == 1);
  CHECK(std::isnan(computed(tanh_of_pack, nan)));
}

TEST_CASE("packs: powers of two are within 2e-7, and 0 where they are too small for a normal number") {
  const auto of_pack = [](Pack<float> x) { return power_of_two(x, 1); };
  CHECK(worst_error(
            of_pack, [](double x) { return std::exp2(x); }, 1e-30, 126, false) < 2e-7);
  const auto inverse = [](Pack<float> x) { return power_of_two(x, -1); };
  CHECK(worst_error(
            inverse, [](double x) { return std::exp2(-x); }, 1e-30, 125.9, false) < 2e-7);
  for (const double tiny : {-126.6, -127.0, -1000.0, -1e30, -inf}) CHECK(computed(of_pack, tiny) == 0);
  CHECK(std::isnan(computed(of_pack, nan)));
  // Without fused multiply-adds a product of up to 126 is rounded before it becomes an exponent.
  CHECK(worst_error([](Pack<float> x) { return power_of_two(-x, log2_e); },
                    [](double x) { return std::exp2(-x * static_cast<float>(log2_e)); }, 1e-3, 87,
                    false) < (math::machine_fuses ? 2e-7 : 4e-6));
}

TEST_CASE("packs: powers of softmax are 0 for what is masked or too small, whatever is subtracted, and NaN for NaN") {
  with_powers(0.5, [](const auto& power_of) {
    const Pack<double> x = -inf;
    CHECK(sum_of_lanes(power_of(x)) == 0);
    CHECK(std::isnan(sum_of_lanes(power_of(Pack<double>(nan)))));
    return 0;
  });
  const auto power = [](double shift, double x) {
    const auto of_pack = [=](Pack<float> scores) {
      return with_powers(static_cast<float>(shift), [&](const auto& power_of) { return power_of(scores); });
    };
    return computed(of_pack, x);
  };
  for (const double shift : {0.0, 0.7, -5.0, 300.0, 0x1p18 - 1, 1 - 0x1p18, 1e6, -1e9}) {
    CAPTURE(shift);
    const double largest = power(shift, shift);
    CHECK(largest > 0.7);
    CHECK(largest < 1.5);
    if (std::abs(shift) < 1e6) {  // beyond, f32 has no numbers so near
      CHECK(power(shift, shift - 69) / largest == Approx(std::exp(-69.0)).epsilon(1e-5).margin(0));
      CHECK(power(shift, shift - 70) == 0);
    }
    for (const double small : {shift - 1e4, shift - 1e12, -1e30, -inf}) CHECK(power(shift, small) == 0);
    CHECK(std::isnan(power(shift, nan)));
  }
}

}  // namespace regard::engine
