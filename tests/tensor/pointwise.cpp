// Values of the functions of one number.
#include "tensor/ops/pointwise.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>
#include <functional>

namespace regard {
using Values = std::vector<double>;

namespace {

using Function = std::function<Tensor(const Tensor&)>;

Tensor gelu_tanh(const Tensor& x) { return gelu(x, GeluForm::tanh); }
Tensor gelu_erf(const Tensor& x) { return gelu(x, GeluForm::erf); }
Tensor leaky(const Tensor& x) { return leaky_relu(x, 0.01); }

}  // namespace

TEST_CASE("pointwise: ordinary values") {
  struct Case {
    const char* name;
    Function f;
    Values at;  // f(−1.25), f(0.5), f(3)
  };
  // Computed in double precision by another mathematical library.
  const Case cases[] = {
      {"exp", exp, {0.2865047968601901, 1.6487212707001282, 20.085536923187668}},
      {"sin", sin, {-0.9489846193555862, 0.479425538604203, 0.1411200080598672}},
      {"cos", cos, {0.3153223623952687, 0.8775825618903728, -0.9899924966004454}},
      {"tanh", tanh, {-0.8482836399575129, 0.46211715726000974, 0.9950547536867305}},
      {"erf", erf, {-0.9229001282564582, 0.5204998778130465, 0.9999779095030014}},
      {"sigmoid", sigmoid, {0.22270013882530884, 0.6224593312018546, 0.9525741268224334}},
      {"softplus", softplus, {0.2519290813453729, 0.9740769841801067, 3.048587351573742}},
      {"silu", silu, {-0.27837517353163604, 0.3112296656009273, 2.8577223804673}},
      {"gelu", gelu_erf, {-0.1320622170835691, 0.34573123063700656, 2.99595030590511}},
      {"gelu, tanh form", gelu_tanh, {-0.13228579703028542, 0.34571400982514394, 2.996362607918227}},
      {"square", square, {1.5625, 0.25, 9}},
      {"relu", relu, {0, 0.5, 3}},
      {"leaky_relu", leaky, {-0.0125, 0.5, 3}},
      {"abs", abs, {1.25, 0.5, 3}},
  };
  const Tensor x = tensor({-1.25, 0.5, 3}, DType::f64);
  for (const auto& [name, f, at] : cases) {
    CAPTURE(name);
    CHECK(largest_difference(f(x), tensor(at, {3}, DType::f64)) < 1e-14);
    CHECK(allclose(f(to(x, DType::f32)), tensor(at, {3}, DType::f64), 1e-6, 1e-7));
    CHECK(f(to(x, DType::f32)).dtype() == DType::f32);
  }
  const Tensor y = tensor({0.25, 4, 6.25}, DType::f64);
  CHECK(to_vector(sqrt(y)) == Values{0.5, 2, 2.5});
  CHECK(to_vector(rsqrt(y)) == Values{2, 0.5, 0.4});
  CHECK(largest_difference(log(y), tensor({-1.3862943611198906, 1.3862943611198906, 1.8325814637483102}, DType::f64)) <
        1e-15);
}

TEST_CASE("pointwise: 0, ±400, ±∞ and NaN") {
  struct Case {
    const char* name;
    Function f;
    Values at;  // f(−∞), f(−400), f(0), f(400), f(∞), f(NaN)
  };
  const double tiny = std::exp(-400), vast = std::exp(400);
  const Case cases[] = {
      {"exp", exp, {0, tiny, 1, vast, inf, nan}},
      {"log", log, {nan, nan, -inf, std::log(400), inf, nan}},
      {"sqrt", sqrt, {nan, nan, 0, 20, inf, nan}},
      {"rsqrt", rsqrt, {nan, nan, inf, 0.05, 0, nan}},
      {"square", square, {inf, 160000, 0, 160000, inf, nan}},
      {"tanh", tanh, {-1, -1, 0, 1, 1, nan}},
      {"erf", erf, {-1, -1, 0, 1, 1, nan}},
      {"sigmoid", sigmoid, {0, tiny, 0.5, 1, 1, nan}},
      {"softplus", softplus, {0, tiny, std::log(2), 400, inf, nan}},
      {"silu", silu, {nan, -400 * tiny, 0, 400, inf, nan}},  // −∞·0, as in PyTorch
      {"gelu", gelu_erf, {nan, 0, 0, 400, inf, nan}},
      {"gelu, tanh form", gelu_tanh, {nan, 0, 0, 400, inf, nan}},
      {"relu", relu, {0, 0, 0, 400, inf, nan}},
      {"leaky_relu", leaky, {-inf, -4, 0, 400, inf, nan}},
      {"abs", abs, {inf, 400, 0, 400, inf, nan}},
      {"is_nan", is_nan, {0, 0, 0, 0, 0, 1}},
  };
  const Tensor x = tensor({-inf, -400, 0, 400, inf, nan}, DType::f64);
  for (const auto& [name, f, at] : cases) {
    CAPTURE(name, to_vector(f(x)));
    CHECK(allclose(f(x), tensor(at, {6}, DType::f64), 1e-14, 0));
    // f32 has less range: what is below 1e−38 or above 4e38 becomes 0 or ∞, the rest is the same.
    CHECK(allclose(f(to(x, DType::f32)), to(tensor(at, {6}, DType::f64), DType::f32), 1e-6, 1e-38));
  }
  CHECK(std::isnan(sin(tensor(inf)).item()));
  CHECK(std::isnan(cos(tensor(-inf)).item()));
}

TEST_CASE("pointwise: clamp") {
  const Tensor x = tensor({-inf, -2, 0, 2, inf, nan});
  CHECK(allclose(clamp(x, -1, 1.5), tensor({-1, -1, 0, 1.5, 1.5, nan}), 0, 0));
  CHECK(allclose(clamp(x, 0, inf), tensor({0, 0, 0, 2, inf, nan}), 0, 0));
  CHECK(to_vector(clamp(arange(5), 1, 3)) == Values{1, 1, 2, 3, 3});
  CHECK(clamp(tensor(5), 2, 2).item() == 2);
  // What equals a bound stays as it is: −0 does not become the bound 0, nor 0 the bound −0. So it is in PyTorch.
  for (const double zero : to_vector(clamp(full({17}, -0.0), 0, 1))) CHECK(std::signbit(zero));
  for (const double zero : to_vector(clamp(full({17}, 0.0), -1, -0.0))) CHECK_FALSE(std::signbit(zero));
  CHECK_THROWS_AS(clamp(x, 1, 0), ValueError);
  CHECK_THROWS_AS(clamp(x, nan, 0), ValueError);
}

TEST_CASE("pointwise: what integers can do, and what not") {
  const Tensor x = tensor({-2, 0, 3}, DType::i64);
  CHECK(to_vector(abs(x)) == Values{2, 0, 3});
  CHECK(to_vector(relu(x)) == Values{0, 0, 3});
  CHECK(to_vector(is_nan(x)) == Values{0, 0, 0});
  CHECK(relu(x).dtype() == DType::i64);
  for (const Function& f : {Function(exp), Function(log), Function(sqrt), Function(rsqrt), Function(square),
                            Function(sin), Function(cos), Function(tanh), Function(erf), Function(sigmoid),
                            Function(softplus), Function(silu), Function(leaky), Function(gelu_erf)})
    CHECK_THROWS_AS(f(x), DTypeError);
}

TEST_CASE("pointwise: clamp compares large whole numbers exactly") {
  const double large = 9007199254740992;  // 2⁵³: the next whole number is no double
  const Tensor bound = full({2}, large, DType::i64), beyond = add(bound, full({2}, 1, DType::i64));
  CHECK(identical(clamp(beyond, -inf, large), bound));
  CHECK(identical(clamp(-beyond, -large, inf), -bound));
  CHECK(identical(clamp(beyond, -inf, inf), beyond));
}

TEST_CASE("pointwise: clamp with one bound leaves the other side alone") {
  const Tensor x = tensor({-5, 0, 5});
  CHECK(to_vector(clamp(x, -1, inf)) == std::vector<double>{-1, 0, 5});
  CHECK(to_vector(clamp(x, -inf, 1)) == std::vector<double>{-5, 0, 1});
  CHECK(to_vector(clamp(to(x, DType::i64), 0, inf)) == std::vector<double>{0, 0, 5});
}

}  // namespace regard
