// How far the f32 functions are from the truth, in units in the last place: half a unit is perfect. The truth is the
// f64 function of the standard library. Every 1999th float is tried, and all near places where something changes; with
//   REGARD_ALL_FLOATS=1 unit_tensor "math error: at most*"
// all 2³² of them are, and the worst of each function is printed, which takes far longer than all other tests.
#include "tensor/create.h"
#include "tensor/math/bits.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"
#include "tensor/threads/parallel.h"
#include "tests/catch.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <mutex>

namespace regard {

namespace {

using Function = std::function<Tensor(const Tensor&)>;

struct Case {
  const char* name;
  Function f;
  double (*truth)(double);
};

double logistic(double x) { return x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)); }

const Case functions[] = {
    {"exp", exp, std::exp},
    {"log", log, std::log},
    {"tanh", tanh, std::tanh},
    {"sigmoid", sigmoid, logistic},
    {"silu", silu, [](double x) { return x * logistic(x); }},
    {"softplus", softplus, [](double x) { return (x < 0 ? 0 : x) + std::log1p(std::exp(-std::abs(x))); }},
    {"erf", erf, std::erf},
    {"gelu", [](const Tensor& x) { return gelu(x); },
     [](double x) { return x * 0.5 * std::erfc(-x * std::sqrt(0.5)); }},
    {"gelu, tanh form", [](const Tensor& x) { return gelu(x, GeluForm::tanh); },
     [](double x) { return x * logistic(2 * std::sqrt(2 / std::acos(-1.0)) * (x + 0.044715 * x * x * x)); }},
    {"sin", sin, std::sin},
    {"cos", cos, std::cos},
};

// The distance between neighbouring floats at y; below the least normal float it stays the same.
double unit_at(double y) {
  if (std::abs(y) < 0x1p-126) return 0x1p-149;
  return std::ldexp(1.0, std::min(std::ilogb(y), 127) - 23);
}

// In units; infinite where one of the two is NaN, infinite or negative and the other is not.
double error_of(float value, double truth) {
  const auto rounded = static_cast<float>(truth);
  if (std::isnan(truth) || std::isnan(value)) return std::isnan(truth) && std::isnan(value) ? 0 : INFINITY;
  if (std::signbit(value) != std::signbit(truth)) return INFINITY;
  if (std::isinf(value) && std::isinf(rounded)) return 0;
  return std::isinf(truth) ? INFINITY : std::abs(static_cast<double>(value) - truth) / unit_at(truth);
}

struct Worst {
  double error = -1;
  float at = 0;
};

Worst worst_over(const Case& test, const std::vector<float>& x) {
  const auto count = static_cast<std::int64_t>(x.size());
  Tensor in = empty({count}, DType::f32);
  std::copy(x.begin(), x.end(), in.writable<float>());
  const Tensor out = test.f(in);
  const float* y = out.data<float>();
  Worst worst;
  std::mutex mutex;
  parallel_for(count, 1 << 14, [&](std::int64_t begin, std::int64_t end) {
    Worst here;
    for (std::int64_t i = begin; i < end; ++i) {
      const double error = error_of(y[i], test.truth(x[i]));
      if (error > here.error) here = {error, x[i]};
    }
    std::lock_guard lock(mutex);
    if (here.error > worst.error) worst = here;
  });
  return worst;
}

float float_of(std::uint64_t bits) { return std::bit_cast<float>(static_cast<std::uint32_t>(bits)); }

// All floats from here to there, by their bits.
std::vector<float> floats(std::uint64_t begin, std::uint64_t end, std::uint64_t step = 1) {
  std::vector<float> x;
  for (std::uint64_t bits = begin; bits < end; bits += step) x.push_back(float_of(bits));
  return x;
}

constexpr std::uint64_t every_float = std::uint64_t{1} << 32;

constexpr double slack = math::machine_fuses ? 1 : 1.15;  // without, each multiply-add rounds twice

}  // namespace

TEST_CASE("math error: at most two units in the last place") {
  std::vector<float> x = floats(0, every_float, 1999);
  for (const float edge : {0.0f,      0x1p-126f,  0.35f,  0.55f,   0.7071f,  0.8f,    1.0f,    1.4142f,
                           4.0f,      10.0f,      14.5f,  16.289f, 16.982f,  60.0f,   69.661f, 88.72284f,
                           87.33655f, 103.97208f, 104.0f, 109.0f,  65536.0f, 0x1p23f, INFINITY})
    for (const float sign : {1.0f, -1.0f}) {
      const std::int64_t center = std::bit_cast<std::uint32_t>(sign * edge);
      for (std::int64_t bits = center - 300; bits <= center + 300; ++bits)
        x.push_back(float_of(static_cast<std::uint64_t>(bits)));
    }
  const bool every = std::getenv("REGARD_ALL_FLOATS") != nullptr;
  constexpr std::uint64_t piece = 1 << 24;
  for (const Case& test : functions) {
    Worst worst = worst_over(test, x);
    for (std::uint64_t begin = 0; every && begin < every_float; begin += piece) {
      const Worst here = worst_over(test, floats(begin, begin + piece));
      if (here.error > worst.error) worst = here;
    }
    if (every) fmt::print("{:16} {:6.3f} units at {:.9g} ({:a})\n", test.name, worst.error, worst.at, worst.at);
    CAPTURE(test.name, worst.at);
    CHECK(worst.error <= 2 * slack);
    CHECK(worst.error > 0.49);  // less would be suspicious
  }
}

// With d = max − x weights are e^−d/Σ. Rounding changes d by up to 2⁻²⁴·d, and a weight by that share of itself, which
// is d of its units at most. The exponential, the sum and the division bring up to 5 more. So large weights are exact
// to a few units, and one of e^−60 to 65: that is five digits of it. Those below 2^−126 are 0.
TEST_CASE("math error: a weight of softmax is off by 5 units, and by how far x is below the largest") {
  for (const std::int64_t size : {16, 1024})
    for (const double deviation : {1.0, 10.0, 100.0}) {
      Generator generator(1);
      const Tensor x = normal({1024, size}, generator, 0, deviation), y = softmax(x, -1);
      double worst = -INFINITY;
      for (std::int64_t row = 0; row < 1024; ++row) {
        const float *in = x.data<float>() + row * size, *out = y.data<float>() + row * size;
        const double largest = *std::max_element(in, in + size);
        double sum = 0;
        for (std::int64_t i = 0; i < size; ++i) sum += std::exp(in[i] - largest);
        for (std::int64_t i = 0; i < size; ++i) {
          const double weight = std::exp(in[i] - largest) / sum;
          if (weight < 1.0001 * 0x1p-126 && out[i] == 0) continue;  // too small for all digits
          worst = std::max(worst, error_of(out[i], weight) - (largest - in[i]));
        }
      }
      INFO("rows of " << size << ", deviation " << deviation);
      CHECK(worst <= 5 * slack);
      CHECK(worst > 0.49);
    }
}

TEST_CASE("math error: an element's bits do not depend on its place") {
  const std::vector<float> x = floats(std::bit_cast<std::uint32_t>(0.01f), std::bit_cast<std::uint32_t>(30.0f), 900001);
  const auto count = static_cast<std::int64_t>(x.size());
  for (const Case& test : functions) {
    CAPTURE(test.name);
    Tensor in = empty({count}, DType::f32);
    std::copy(x.begin(), x.end(), in.writable<float>());
    const Tensor together = test.f(in);
    std::int64_t different = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      Tensor alone = empty({1}, DType::f32);
      *alone.writable<float>() = x[static_cast<std::size_t>(i)];
      const Tensor result = test.f(alone);
      if (std::bit_cast<std::uint32_t>(*result.data<float>()) !=
          std::bit_cast<std::uint32_t>(together.data<float>()[i]))
        ++different;
    }
    CHECK(different == 0);
  }
}

}  // namespace regard
