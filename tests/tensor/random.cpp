// The generator: known answers, streams, and the same numbers for any number of threads.
#include "tensor/random/random.h"

#include "tensor/compare.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/order.h"
#include "tensor/ops/reduce.h"
#include "tensor/random/transforms.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {

TEST_CASE("random: Philox gives the answers its authors published") {
  using Words = std::array<std::uint32_t, 4>;
  const std::uint32_t all = 0xFFFFFFFF;
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Words{0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8});
  CHECK(philox({all, all, all, all}, {all, all}) == Words{0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD});
  CHECK(philox({0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344}, {0xA4093822, 0x299F31D0}) ==
        Words{0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1});
}

TEST_CASE("random: a draw is Philox of the position under the seed") {
  const auto draw = Generator(0).at(0);
  CHECK(draw.first == 0xE169C58D6627E8D5);
  CHECK(draw.second == 0x9B00DBD8BC57AC4C);
  // Both words of both numbers count.
  const std::uint64_t high = std::uint64_t{1} << 32;
  for (const auto& [seed, position] : {std::pair{high, std::uint64_t{0}},
                                       {std::uint64_t{1}, std::uint64_t{0}},
                                       {std::uint64_t{0}, high},
                                       {std::uint64_t{0}, std::uint64_t{1}}})
    CHECK(Generator(seed).at(position).first != draw.first);
}

TEST_CASE("random: bits become numbers in [0, 1)") {
  CHECK(to_unit(0) == 0);
  CHECK(to_unit(~std::uint64_t{0}) == 1 - 0x1p-53);
  CHECK(to_unit(std::uint64_t{1} << 63) == 0.5);
  Generator generator(0);
  CHECK(uniform({}, generator, 0, 1, DType::f64).item() ==
        std::ldexp(static_cast<double>(0xE169C58D6627E8D5 >> 11), -53));
}

TEST_CASE("random: low + (high − low)·u is rounded twice, also where the processor could fuse it") {
  Generator generator(1);
  const Tensor x = uniform({12}, generator, 0.1, 0.7, DType::f64);
  // Each of the three would end in another digit, had the product not been rounded.
  CHECK(x.at({6}) == 0.1727350353419858);
  CHECK(x.at({9}) == 0.4963177801415788);
  CHECK(x.at({10}) == 0.43564378818639493);
}

TEST_CASE("random: a stream goes on where it was left") {
  Generator whole(7), parts(7);
  const Tensor x = uniform({15}, whole);
  CHECK(identical(uniform({10}, parts), slice(x, 0, 0, 10)));
  CHECK(parts.position() == 10);
  Generator resumed(parts.seed(), parts.position());
  CHECK(identical(uniform({5}, parts), slice(x, 0, 10)));
  CHECK(identical(uniform({5}, resumed), slice(x, 0, 10)));
  CHECK(parts.position() == whole.position());
}

TEST_CASE("random: seeds give other numbers, shapes do not, f32 is f64 rounded") {
  Generator a(1), b(1), c(2), d(1);
  const Tensor x = normal({6, 5}, a);
  CHECK(identical(flatten(x), normal({30}, b)));
  CHECK_FALSE(identical(x, normal({6, 5}, c)));
  CHECK(identical(x, to(normal({6, 5}, d, 0, 1, DType::f64), DType::f32)));
}

TEST_CASE("random: the same numbers for any number of threads", "[threads]") {
  const int before = thread_count();
  const auto draw = [](int threads) {
    set_thread_count(threads);
    Generator generator(11);
    return std::array{uniform({50001}, generator), normal({30001}, generator, 0, 1, DType::f64),
                      permutation(5000, generator)};
  };
  const auto expected = draw(1);
  for (int threads : {2, 3, 5, 8}) {
    const auto drawn = draw(threads);
    for (std::size_t i = 0; i < drawn.size(); ++i) CHECK(identical(drawn[i], expected[i]));
  }
  set_thread_count(before);
}

TEST_CASE("random: uniform never reaches its upper end, however coarse the numbers are") {
  Generator generator(3);
  const double high = 1 + 0x1p-21;  // four steps of f32 above 1: every eighth number would be rounded up to it
  const Tensor x = uniform({2000}, generator, 1, high);
  CHECK(min(x).item() == 1);
  CHECK(max(x).item() == 1 + 3 * 0x1p-23);
  CHECK(uniform({}, generator, 2, 2).item() == 2);
  CHECK(max(uniform({100}, generator, -5, -4)).item() < -4);
}

TEST_CASE("random: permutation holds each number once, in no order") {
  Generator generator(4);
  for (std::int64_t n : {0, 1, 2, 3, 100, 1000}) {
    const Tensor p = permutation(n, generator);
    CHECK(identical(sort(p, 0), arange(n)));
    if (n >= 100) CHECK_FALSE(identical(p, arange(n)));
  }
}

TEST_CASE("random: all permutations of three are equally likely") {
  Generator generator(5);
  std::array<int, 27> counts{};
  for (int i = 0; i < 6000; ++i) {
    const auto p = to_vector(permutation(3, generator));
    ++counts[static_cast<std::size_t>(9 * p[0] + 3 * p[1] + p[2])];
  }
  double chi_squared = 0;  // of six cells with 1000 expected in each
  for (int c : {counts[5], counts[7], counts[11], counts[15], counts[19], counts[21]})
    chi_squared += (c - 1000.0) * (c - 1000.0) / 1000;
  CHECK(chi_squared < 20.5);  // five degrees of freedom: exceeded once in a thousand
}

TEST_CASE("random: the portable logarithm and cosine agree with the standard library") {
  double log_error = 0, cos_error = 0;
  Generator generator(6);
  for (std::uint64_t i = 0; i < 20000; ++i) {
    const double u = to_unit(generator.at(i).first), x = std::ldexp(1 + u, static_cast<int>(i % 120) - 60);
    log_error = std::max(log_error, std::abs(portable_log(x) - std::log(x)) / std::max(1.0, std::abs(std::log(x))));
    cos_error = std::max(cos_error, std::abs(portable_cos_turns(u) - std::cos(2 * 3.14159265358979323846 * u)));
  }
  CHECK(log_error < 1e-15);
  CHECK(cos_error < 2e-15);  // the angle itself is rounded
  CHECK(portable_log(1) == 0);
  CHECK(portable_log(0x1p-53) == Approx(-36.7368005696771).epsilon(1e-15));
  CHECK(portable_log(1 - 0x1p-53) == -0x1p-53);
  const double half = std::sqrt(0.5);
  for (int eighth = 0; eighth < 8; ++eighth)
    CHECK(portable_cos_turns(eighth / 8.0) ==
          Approx(std::array{1.0, half, 0.0, -half, -1.0, -half, 0.0, half}[static_cast<std::size_t>(eighth)])
              .margin(1e-16));
}

TEST_CASE("random: wrong arguments") {
  Generator generator(0);
  CHECK_THROWS_AS(uniform({2}, generator, 1, 0), ValueError);
  CHECK_THROWS_AS(uniform({2}, generator, 0, INFINITY), ValueError);
  CHECK_THROWS_AS(uniform({2}, generator, NAN, 1), ValueError);
  CHECK_THROWS_AS(normal({2}, generator, 0, -1), ValueError);
  CHECK_THROWS_AS(normal({2}, generator, 0, NAN), ValueError);
  CHECK_THROWS_AS(uniform({2}, generator, 0, 1, DType::i64), DTypeError);
  CHECK_THROWS_AS(permutation(-1, generator), ValueError);
}

TEST_CASE("random: whole numbers are the bits' share of the range") {
  Generator generator(0);
  // The first word at position 0 is 0xE169C58D6627E8D5, so u = 0.8805…: the numbers 10·u and 2⁴⁰·u, rounded down.
  CHECK(randint({}, generator, 0, 10).item() == 8);
  Generator again(0);
  CHECK(randint({}, again, 0, std::int64_t{1} << 40).item() == 0xE169C58D66);
  Generator whole(0);
  constexpr std::int64_t lowest = INT64_MIN, highest = INT64_MAX;
  const Tensor wide = randint({1000}, whole, lowest, highest);
  CHECK(wide.dtype() == DType::i64);
  CHECK(any(less(wide, 0.0)).item() == 1);
  CHECK(any(greater(wide, 0.0)).item() == 1);
}

TEST_CASE("random: whole numbers are equally likely, and stay in their range") {
  Generator generator(3);
  const Tensor drawn = randint({60000}, generator, -2, 4);
  CHECK(min(drawn).item() == -2);
  CHECK(max(drawn).item() == 3);
  // Each of six is expected 10000 times, give or take 91: five deviations.
  for (int number = -2; number < 4; ++number)
    CHECK(std::abs(sum(equal(drawn, static_cast<double>(number))).item() - 10000) < 5 * 91.3);
  CHECK(generator.position() == 60000);
}

}  // namespace regard
