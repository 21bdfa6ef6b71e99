#include "nn/tools/cost/profile.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>

namespace regard {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("profile: costs are those of theory, and every operation takes some time, both ways") {
  const Variable x(noise({40, 30})), w = parameter(noise({20, 30})), u = parameter(noise({5, 20}));
  int runs = 0;
  const auto f = [&] {
    ++runs;
    const Variable mask = tanh(x);  // of constants: nothing is recorded
    return sum(linear(tanh(linear(x + mask, w)), u));
  };
  const Profile found = profile(f, {{"net.0.weight", w}, {"net.1.weight", u}});
  CHECK(runs == 6);  // one is not counted
  const Costs theory = cost(f());
  CHECK(found.total.multiply_adds == theory.total.multiply_adds);
  CHECK(found.total.bytes == theory.total.bytes);
  REQUIRE(found.by_operation.size() == theory.by_operation.size());
  for (const NamedCost& one : found.by_operation) {
    CHECK(one.cost.forward >= 0);
    CHECK(one.cost.backward >= 0);
  }
  CHECK(found.total.forward > 0);
  CHECK(found.total.backward > 0);
  CHECK(found.not_recorded > 0);
  CHECK(found.limits.flops > 1e8);
  CHECK(found.limits.bytes > 1e8);
  CHECK(found.by_module.size() == 3);  // the two, and what is outside
  CHECK(std::ranges::count(found.by_module, "net.0", &NamedCost::name) == 1);
}

TEST_CASE("profile: gradients of leaves stay as they are") {
  const Variable w = parameter(noise({3}));
  profile([&] { return sum(square(w)); });
  CHECK_FALSE(w.gradient().defined());
}

TEST_CASE("profile: bound by what takes longer by theory") {
  const MachineLimits limits{.flops = 100, .bytes = 10};
  Cost cost;
  cost.multiply_adds = 50;  // 2·50/100 = 1 s
  cost.bytes = 9;           // 0.9 s
  CHECK(bound_by(cost, limits) == "arithmetic");
  cost.bytes = 11;
  CHECK(bound_by(cost, limits) == "memory");
  cost.forward = 2, cost.backward = 3, cost.backward_multiply_adds = 100;
  CHECK(cost.flops() == 60);  // 2·(50 + 100)/5
}

TEST_CASE("profile: a function that records something else each time is refused") {
  const Variable w = parameter(noise({3}));
  int run = 0;
  CHECK_THROWS_WITH(profile([&] { return ++run % 2 ? sum(w) : sum(tanh(w)); }),
                    ContainsSubstring("it must do the same each time"));
  CHECK_THROWS_WITH(profile([&] { return w; }), ContainsSubstring("profile: f recorded nothing"));
}

// The words of a text, with one space between them.
std::string words_of(const std::string& text) {
  std::string words;
  for (const char c : text)
    if (c != ' ' || (!words.empty() && words.back() != ' ')) words += c;
  return words;
}

TEST_CASE("profile: the table has rates beside the limits, and of products only where there are some") {
  Profile profile;
  profile.limits = {.flops = 100e9, .bytes = 10e9};
  const Cost product{.operations = 2,
                     .multiply_adds = 1e9,
                     .backward_multiply_adds = 2e9,
                     .bytes = 1e9,
                     .forward = 0.1,
                     .backward = 0.2};
  const Cost other{.operations = 1, .bytes = 2e9, .forward = 0.1};
  const Cost smallest{.operations = 1, .multiply_adds = 1, .forward = 1e-9};
  profile.by_operation = {{"matmul", product}, {"tanh", other}, {"1×1", smallest}};
  profile.total.forward = profile.total.backward = 0.2;
  const std::string told = words_of(to_text(profile));
  CHECK_THAT(told, ContainsSubstring("matmul 2 100 200 75 % 20 20 % 10 memory\n"));
  CHECK_THAT(told, ContainsSubstring("1×1 1 1e-06 0 2.5e-07 % 2 2 % 0 arithmetic\n"));
  CHECK_THAT(told, ContainsSubstring("tanh 1 100 0 25 % 20 memory\n"));
}

}  // namespace regard
