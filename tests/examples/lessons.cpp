// What a training reads in each step follows from the seed and the step alone.
#include "examples/trainers/lessons.h"

#include "tests/catch.h"
#include "tests/given.h"

#include <set>

namespace regard {

namespace {

// Ten pairs, (i) and (i, 100 + i), in every pass.
Lessons::Pairs ten_pairs(Generator&) {
  Lessons::Pairs pairs;
  for (std::int64_t i = 0; i < 10; ++i) pairs[0].push_back({i}), pairs[1].push_back({i, 100 + i});
  return pairs;
}

Lessons lessons_of(std::uint64_t seed) { return Lessons(ten_pairs, {.size = 4, .padding = -1}, seed); }

std::vector<double> read(Lessons& lessons, std::int64_t step) { return to_vector(lessons.at(step)[0].tokens); }

}  // namespace

TEST_CASE("lessons: each pass has every pair once, in an order of its own") {
  Lessons lessons = lessons_of(1);
  REQUIRE(lessons.steps_of_pass() == 3);
  std::vector<std::vector<double>> orders;
  for (std::int64_t pass = 0; pass < 3; ++pass) {
    std::vector<double> order;
    for (std::int64_t i = 0; i < 3; ++i) {
      const auto [source, target] = lessons.at(3 * pass + i);
      CHECK(identical(select(target.tokens, 1, 1), select(source.tokens, 1, 0) + 100.0));
      for (const double token : to_vector(source.tokens)) order.push_back(token);
    }
    CHECK(std::set<double>(order.begin(), order.end()).size() == 10);
    orders.push_back(order);
  }
  CHECK(orders[0] != orders[1]);
  CHECK(orders[1] != orders[2]);
}

TEST_CASE("lessons: a step is the same wherever a training begins, and another with another seed") {
  Lessons all = lessons_of(1), resumed = lessons_of(1), other = lessons_of(2);
  std::vector<std::vector<double>> steps;
  for (std::int64_t step = 0; step < 9; ++step) steps.push_back(read(all, step));
  for (const std::int64_t step : {7, 8, 1, 4}) CHECK(read(resumed, step) == steps[static_cast<std::size_t>(step)]);
  bool differs = false;
  for (std::int64_t step = 0; step < 9; ++step)
    differs = differs || read(other, step) != steps[static_cast<std::size_t>(step)];
  CHECK(differs);
}

}  // namespace regard
