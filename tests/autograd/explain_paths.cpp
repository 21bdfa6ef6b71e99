// Which of many paths are told, and how many operations it takes to find them.
#include "autograd/all.h"
#include "nn/tools/explain/explain.h"
#include "nn/tools/explain/paths.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <cmath>

namespace regard {
namespace {

// ∂√(x²)/∂x is ∞ · 0 = NaN at 0.
Variable nan_slope(const Variable& x) { return sqrt(square(x)); }

// The sum of 1·sin(x), 2·sin(x), …, where one term, from 0 on, is another.
Variable sum_of_sines(const Variable& x, int terms, int other_at,
                      const std::function<Variable(const Variable&)>& other) {
  Variable sum;
  for (int i = 0; i < terms; ++i) {
    const Variable term = i == other_at ? other(x) : (1.0 + i) * sin(x);
    sum = sum.defined() ? sum + term : term;
  }
  return sum;
}

// x, by an operation that counts how often its rule is applied.
Variable counted(const Variable& x, int& times) {
  static constexpr OpInfo info{"counted", "x", "∂x = g"};
  return record(info, {x}, x.value(), [&times](const Variable& g, const Saved&) {
    ++times;
    return gradients(g);
  });
}

}  // namespace

TEST_CASE("explain: a path that contributes NaN is told first, wherever it was recorded") {
  const Variable x = leaf(0);
  for (int at = 0; at < 5; ++at) {
    const Explanation told = explain(sum_of_sines(x, 5, at, nan_slope), x);
    CHECK(std::isnan(told.gradient));
    CHECK(told.path_count == 5);
    CHECK(told.compared_all);
    REQUIRE(told.paths.size() == 3);
    CHECK(std::isnan(told.paths[0].contribution));
    CHECK(told.paths[1].contribution == (at == 4 ? 4 : 5));
    CHECK(told.paths[0].steps.back().operation == "square ()");
  }
}

TEST_CASE("explain: a use that contributes NaN is never among the others") {
  const Variable x = leaf(0);
  for (const int at : {0, 3, 14, 29}) {
    const Explanation told = explain(sum_of_sines(x, 30, at, nan_slope), x);
    REQUIRE(told.uses.size() == 30);
    CHECK(std::isnan(told.uses[0].contribution));
    CHECK(told.uses[1].contribution == (at == 29 ? 29 : 30));
    CHECK(told.uses[29].contribution == (at == 0 ? 2 : 1));
  }
}

TEST_CASE("explain: of too many paths, too, NaN is told first") {
  const Variable x = leaf(0);
  // inside the root ∞ arrives, and the slope of the square is 0: only where both meet there is a NaN
  const auto twice = [](const Variable& z) { return sqrt(square(z) + square(z)); };
  for (const int at : {0, 300, 599}) {
    const Explanation told = explain(sum_of_sines(x, 600, at, twice), x);
    CHECK(told.path_count == 601);
    REQUIRE(told.paths.size() == 3);
    CHECK(std::isnan(told.paths[0].contribution));
    CHECK(std::isnan(told.paths[1].contribution));
    CHECK(told.paths[2].contribution == (at == 599 ? 599 : 600));
  }
  Variable y = x;
  for (int i = 0; i < 24; ++i) y = y + (i == 12 ? nan_slope(y) : tanh(y));
  const Explanation told = explain(y, x);
  CHECK_FALSE(told.compared_all);
  REQUIRE(told.paths.size() == 3);
  for (const ExplainedPath& path : told.paths) CHECK(std::isnan(path.contribution));
}

TEST_CASE("explain: a NaN that arrives where nothing moves makes the derivative NaN, and is told") {
  const Variable x = leaf(1);
  const Explanation told = explain(sin(x) + nan_slope(0 * tanh(x)), x);  // NaN · 0
  CHECK(std::isnan(told.gradient));
  REQUIRE(told.paths.size() == 2);
  CHECK(std::isnan(told.paths[0].contribution));
  CHECK(told.paths[1].contribution == Approx(std::cos(1)));
}

TEST_CASE("explain: the largest paths of a recurrent network are found, without a walk along each") {
  constexpr int times = 400;
  const Variable x = leaf(1);
  int rules = 0;
  Variable h = x, loss;
  for (int t = 1; t <= times; ++t) {
    h = counted(h, rules);
    loss = loss.defined() ? loss + t * h : t * h;
  }
  const Explanation told = explain(loss, x);
  CHECK(told.gradient == times * (times + 1) / 2);
  CHECK(told.path_count == times);
  CHECK_FALSE(told.compared_all);
  REQUIRE(told.paths.size() == 3);
  for (int i = 0; i < 3; ++i) {
    CHECK(told.paths[i].contribution == times - i);
    CHECK(told.paths[i].carried == times - i);
    CHECK(std::ssize(told.paths[i].steps) == times + 2);
  }
  CHECK(rules < 50 * times);  // each path to its end: times²/2
}

TEST_CASE("explain: where very many paths are equal, some are told all the same") {
  const Variable x = leaf(1);
  Variable y = x;
  for (int i = 0; i < 24; ++i) y = y + y;
  const Explanation told = explain(y, x);
  CHECK(told.path_count == 16'777'216);  // 2²⁴
  CHECK_FALSE(told.compared_all);
  REQUIRE(told.paths.size() == 3);
  for (const ExplainedPath& path : told.paths) CHECK(path.contribution == 1);
}

}  // namespace regard
