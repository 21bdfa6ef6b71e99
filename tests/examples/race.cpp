// What is measured in the recall race, where it is known beforehand.
#include "examples/trainers/race.h"

#include <string_view>

#include "tests/catch.h"
#include "tests/given.h"

using namespace regard;
using namespace regard::race;

namespace {

const Kind& kind(std::string_view name) {
  static const std::vector<Kind> all = kinds();
  return *std::ranges::find(all, name, &Kind::name);
}

}  // namespace

TEST_CASE("The fitted exponent of a power is its exponent") {
  const std::vector<double> x{8, 16, 32, 64};
  for (const double power : {-1.0, 0.0, 0.5, 2.0, 3.0}) {
    std::vector<double> y;
    for (const double number : x) y.push_back(7 * std::pow(number, power));
    CHECK(exponent(x, y) == Approx(power).margin(1e-12));
  }
}

TEST_CASE("The fitted exponent is the best straight line through the logarithms") {
  CHECK(exponent({1, 2, 4}, {1, 2, 2}) == Approx(0.5));  // through (0, 0), (1, 1), (2, 1) in powers of 2
  const Curves curves{{4, 8}, {{3, 11}, {5, 5}}};
  CHECK(curves.growth_of(0) == 2);
  CHECK(curves.growth_of(1) == 0);
  CHECK(curves.exponent_of(1) == Approx(0).margin(1e-12));
}

// A layer of windows of 3 sees 2 positions more: L layers see a distance of 2L. Dilated by 1, 3, 9, … they see 2 + 6 +
// 18 + …, which is 3^L − 1.
TEST_CASE("How many layers of windows it takes to see so far, and that one less does not see it") {
  const Kind &stacked = kind("CNN, stacked"), &dilated = kind("CNN, dilated");
  for (const auto& [distance, by_stacked, by_dilated] : std::vector<std::array<std::int64_t, 3>>{
           {1, 1, 1}, {2, 1, 1}, {3, 2, 2}, {4, 2, 2}, {5, 3, 2}, {8, 4, 2}, {9, 5, 3}, {26, 13, 3}, {27, 14, 4}}) {
    CHECK(stacked.must_layer(distance) == by_stacked);
    CHECK(dilated.must_layer(distance) == by_dilated);
  }
  for (const Kind* windows : {&stacked, &dilated})
    for (const std::int64_t distance : {3, 4, 8, 9}) {
      const std::int64_t layers = windows->must_layer(distance);
      CHECK(path_length(*windows, 16, layers, distance) > 0);
      CHECK(path_length(*windows, 16, layers - 1, distance) == -1);
    }
}

TEST_CASE("The way back is as long as the distance in a recurrent network, and always the same with attention") {
  for (const std::string name : {"RNN", "GRU", "delta rule"}) {
    const double two = path_length(kind(name), 4, 1, 2), four = path_length(kind(name), 4, 1, 4),
                 ten = path_length(kind(name), 4, 1, 10);
    CHECK(four - two >= 2);
    CHECK(ten - four == 3 * (four - two));
  }
  for (const std::string name : {"attention", "delta, attention"})
    CHECK(path_length(kind(name), 4, 1, 2) == path_length(kind(name), 4, 1, 50));
}

TEST_CASE("Racers say the same of tokens one by one as of a sequence") {
  Generator generator(1);
  const Tensor x = noise({1, 6, 4}, 1, DType::f32);
  std::vector<Variable> tokens;
  for (std::int64_t i = 0; i < 6; ++i) tokens.push_back(select(x, 1, i));
  for (const Kind& one : kinds()) {
    INFO(one.name);
    const std::unique_ptr<Racer> racer = one.make(4, one.layers, generator);
    const Tensor whole = racer->last(x).value(), by_one = racer->last_of(tokens).value();
    CHECK((one.name.starts_with("delta") ? allclose(whole, by_one, 1e-5, 1e-5) : identical(whole, by_one)));
  }
}

TEST_CASE("The task: a symbol, then noise that is never a symbol, and the answer is the symbol") {
  Generator generator(1);
  const Batch batch = draw_batch(50, 7, generator);
  REQUIRE(batch.tokens.shape() == Shape{50, 8});
  CHECK(identical(batch.answers, select(batch.tokens, 1, 0)));
  CHECK(max(batch.answers).item() < symbols);
  CHECK(min(slice(batch.tokens, 1, 1)).item() >= symbols);
  CHECK(max(batch.tokens).item() < symbols + noises);
}

TEST_CASE("Racers are as wide as the numbers allow that all may have") {
  Generator generator(1);
  for (const Kind& one : kinds()) {
    INFO(one.name);
    const std::int64_t width = widest(one, 1000);
    CHECK(nn::parameter_count(*one.make(width, one.layers, generator)) <= 1000);
    CHECK(nn::parameter_count(*one.make(width + 1, one.layers, generator)) > 1000);
  }
}
