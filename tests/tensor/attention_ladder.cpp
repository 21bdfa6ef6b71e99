// Every rung of the attention ladder against the first: shapes, masks and values that are likely to break one.
#include "tests/tensor/attention_ladder.h"

#include "tensor/error.h"
#include "tensor/threads/parallel.h"
#include "tests/catch.h"

namespace regard::attention_ladder {
namespace {

// Blocks of 64 queries and 128 keys make a tile: sizes without anything, on its edges, and beyond.
const Sizes hostile[] = {{0, 5, 3, 2},      {4, 0, 3, 2},    {0, 0, 0, 0},    {3, 4, 0, 2},     {3, 4, 2, 0},
                         {1, 1, 1, 1},      {1, 257, 4, 9},  {131, 1, 4, 4},  {7, 13, 5, 3},    {31, 37, 11, 7},
                         {64, 128, 16, 16}, {65, 129, 8, 5}, {63, 127, 3, 8}, {130, 259, 17, 3}};

using Sees = std::function<bool(std::int64_t, std::int64_t)>;
struct Mask {
  const char* name;
  Sees sees;
};
const Mask masks[] = {
    {"none", {}},
    {"all", [](auto, auto) { return true; }},
    {"causal", [](auto i, auto j) { return j <= i; }},
    {"blind rows", [](auto i, auto j) { return i % 3 != 0 && j % 5 != 1; }},
    {"blind", [](auto, auto) { return false; }},
    {"random", [](auto i, auto j) { return (i * 7919 + j * 104729) % 1009 < 500; }},
    {"hidden columns", [](auto i, auto j) { return j % 4 != 0 && (i + j) % 7 != 0; }},
    {"the last key only", [](auto, auto j) { return j == 258; }},
};

// In f64 to 1e-12. In f32 a score of 400 is rounded by 2e-5, and so is its power, relative to itself.
template <class T>
double tolerance(double largest_score) {
  return std::is_same_v<T, double> ? 1e-12 : 2e-6 + 4e-7 * largest_score;
}

template <class T>
void compare_all(const Problem<T>& p, const char* name, double largest_score = 1) {
  const auto rungs = ladder<T>();
  const Results<T> expected = results_of(rungs[0], p);
  for (const Rung<T>& rung : rungs) {
    CAPTURE(rung.name, name, p.sizes.queries, p.sizes.keys, p.sizes.features, p.sizes.value_size, sizeof(T));
    CHECK(difference(results_of(rung, p), expected) <= tolerance<T>(largest_score));
    std::vector<T> output(p.g.size(), T{7});
    rung.forward(p.operands(), output.data());
    CHECK(difference(output, expected.output) <= tolerance<T>(largest_score));
  }
}

template <class T>
void compare_hostile() {
  for (const Sizes& sizes : hostile)
    for (const Mask& mask : masks) {
      Problem<T> p(sizes);
      if (mask.sees) p.hide(mask.sees);
      compare_all(p, mask.name);

      // Scores of up to ±400.
      for (T& x : p.q) x *= 20;
      for (T& x : p.k) x *= 20;
      p.scale = T{1} / static_cast<T>(std::max<std::int64_t>(sizes.features, 1));
      compare_all(p, mask.name, 400);

      // NaN and ∞ in keys: in those that nobody sees, and in one that some see.
      if (!mask.sees || sizes.features == 0 || sizes.value_size == 0) continue;
      Problem<T> broken(sizes);
      broken.hide([&](std::int64_t i, std::int64_t j) { return j % 4 != 2 && (j != 3 || i == 5) && mask.sees(i, j); });
      for (std::int64_t j = 2; j < sizes.keys; j += 4) {
        broken.k[product_of(j, sizes.features)] = j % 8 == 2 ? T(NAN) : T(INFINITY);
        broken.v[product_of(j, sizes.value_size)] = j % 8 == 2 ? T(-INFINITY) : T(NAN);
      }
      compare_all(broken, mask.name);
      if (sizes.keys > 3) broken.k[product_of(3, sizes.features)] = T(NAN);
      compare_all(broken, mask.name);
      if (sizes.queries > 3) broken.q[product_of(3, sizes.features)] = broken.g[product_of(0, 1)] = T(NAN);
      compare_all(broken, mask.name);
    }
}

// What query i of 200 sees of 300 keys.
constexpr int range_masks = 7;
KeyRange range_of(int mask, std::int64_t i) {
  switch (mask) {
    case 0: return {0, i + 1};                                      // causal
    case 1: return {0, 131};                                        // a sequence filled up behind its end
    case 2: return {std::max<std::int64_t>(i - 9, 0), i + 10};      // a window
    case 3: return {0, 300 - i};                                    // less and less
    case 4: return {200 - i, 300};                                  // more and more, from the end
    case 5: return i % 2 ? KeyRange{5, 5} : KeyRange{290, 300};     // every second query is blind
    default: return i < 100 ? KeyRange{300, 0} : KeyRange{i, 300};  // the first half is
  }
}

}  // namespace

TEST_CASE("attention ladder: every rung agrees with the first, f64") { compare_hostile<double>(); }
TEST_CASE("attention ladder: every rung agrees with the first, f32") { compare_hostile<float>(); }

// The largest score comes last, first and in the middle; all are equal; all are far from 0, on either side.
TEST_CASE("attention ladder: scores in every order") {
  for (const std::size_t order : {0, 1, 2, 3, 4}) {
    Problem<double> p({3, 300, 1, 2});
    p.q = {1, -1, 0.01}, p.scale = 1;
    if (order == 4) p.q = {2e4, -2e4, 1};
    for (std::size_t j = 0; j < 300; ++j) {
      const auto place = static_cast<double>(j);
      p.k[j] = std::vector{1.3 * place, -1.3 * place, j == 150 ? 400.0 : -400.0, 5.0, 1 + place / 2e4}[order];
    }
    compare_all(p, "order", 400);
  }
}

// −1e200·1e200 is −∞, whose power is 0: as if the key were not there. Of nothing but such scores there is no mean.
TEST_CASE("attention ladder: scores of −∞") {
  Problem<double> p({2, 5, 1, 2});
  p.q = {1e200, 1}, p.k = {-1e200, -1e200, 1e-200, 2e-200, -1e200}, p.scale = 1;
  const Results<double> made = results_of(ladder<double>()[0], p);
  CHECK(std::isfinite(made.output[0]));
  compare_all(p, "some");
  p.q = {1e200, 2e200}, p.k = {-1e200, -1e200, -1e200, -1e200, -1e200};
  CHECK(std::isnan(results_of(ladder<double>()[0], p).output[0]));
  compare_all(p, "all");
}

// What the rungs hold at 200 queries and 257 keys of 7 features, by hand. Two tiles are 2·64·128 = 16384 numbers.
TEST_CASE("attention ladder: how many numbers a rung holds") {
  const int before = thread_count();
  set_thread_count(1);
  const Problem<double> p({200, 257, 7, 5});
  std::vector<std::int64_t> held;
  for (const Rung<double>& rung : ladder<double>()) held.push_back(rung.held(p.operands()));
  set_thread_count(before);
  const std::vector<std::int64_t> expected{
      200 * 257 + 257,                // all weights, and the gradients of a row of them
      2 * 200,                        // of each query the largest score, and the sum of the powers
      3 * 200 + 16384,                // the same, one sum more of each query for the gradients, and two tiles
      3 * 200 + 16384 + 2 * 7 * 128,  // and a block of keys as columns, with its gradients
      3 * 200 + 16384 + 3 * 201 * 7,  // and of each block of keys (128, 128, 1) the gradients of queries and scale
  };
  CHECK(held == expected);
}

TEST_CASE("attention ladder: a mask of ranges is the table that says the same") {
  const Sizes sizes{200, 300, 7, 5};
  for (int mask = 0; mask < range_masks; ++mask)
    for (const bool broken : {false, true}) {
      Problem<double> with_table(sizes), with_ranges(sizes);
      if (broken)
        for (Problem<double>* p : {&with_table, &with_ranges})
          p->k[product_of(140, 7)] = p->v[product_of(140, 5) + 1] = p->v[product_of(280, 5)] = NAN;
      with_table.hide(
          [&](std::int64_t i, std::int64_t j) { return range_of(mask, i).first <= j && j < range_of(mask, i).last; });
      for (std::int64_t i = 0; i < sizes.queries; ++i) with_ranges.ranges.push_back(range_of(mask, i));
      compare_all(with_ranges, "ranges");
      const Rung<double> first = ladder<double>()[0];
      CHECK(difference(results_of(first, with_ranges), results_of(first, with_table)) == 0);
    }
}

TEST_CASE("attention ladder: what cannot be is said") {
  for (const Rung<float>& rung : ladder<float>()) {
    CAPTURE(rung.name);
    const auto message_for = [&](const Problem<float>& p) {
      std::vector<float> output(100);
      try {
        rung.forward(p.operands(), output.data());
      } catch (const Error& error) {
        return std::string(error.what());
      }
      return std::string("nothing");
    };
    Problem<float> p({2, 3, 4, 5});
    p.ranges = {{0, 3}, {1, 4}};
    CHECK(message_for(p) == "attention_ladder: query 1 is to see the keys from 1 to 4, of which there are 3");
    p.ranges = {{-1, 3}, {1, 3}};
    CHECK(message_for(p) == "attention_ladder: query 0 is to see the keys from -1 to 3, of which there are 3");
    p.ranges.clear();
    p.sizes.value_size = -5;
    CHECK(message_for(p) == "attention_ladder: 2 queries, 3 keys, 4 features and values of -5: a size is negative");
  }
}

}  // namespace regard::attention_ladder
