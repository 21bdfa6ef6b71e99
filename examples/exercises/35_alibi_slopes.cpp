// 35. ALiBi's slopes · grade 2 · chapter 08_positions
//
// ALiBi subtracts m·|i − j| from the score of a query at position i and a key at position j. Each head has a slope m of
// its own. With 8 heads they are 1/2, 1/4, 1/8, … 1/256: a head with a large slope looks at neighbours, one with a
// small slope far back. With 16 heads there is one more between each two of these, so that all go down by the same
// factor from head to head, and the last is 1/256 again. With 4 heads there are only 1/4, 1/16, 1/64, 1/256. (H is a
// power of 2.)
//
// Nothing is learned, and no length is too long. But each number depends on where the query stands. When a model
// writes, its one query stands at the end of the keys, and not at place 0.
//
// Hint: What must the factor be, so that H steps lead from 1 to 1/256 = 2⁻⁸? Positions: the last query stands where the
// last key stands.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>
#include <vector>

using namespace regard;

// TODO: return the slopes of the heads, (H).
Tensor slopes_of(int heads) {
  std::vector<double> slopes;
  for (int h = 0; h < heads; ++h) slopes.push_back(std::pow(2, -h - 1));
  return tensor(slopes, {heads}, DType::f64);
}

// TODO: return what is added to the scores, (H, Lq, Lk). The queries are those of the last Lq of Lk positions. A
// key may stand behind its query, too. Do not call nn::alibi_bias.
Tensor alibi(int heads, int queries, int keys) { return zeros({heads, queries, keys}, DType::f64); }

// ---- This is what checks it. ----

Tensor powers_of_two(const std::vector<double>& exponents) {
  std::vector<double> powers;
  for (const double e : exponents) powers.push_back(std::pow(2, e));
  return tensor(powers, {static_cast<std::int64_t>(powers.size())}, DType::f64);
}

int main() {
  return exercises::exercise([] {
    exercises::expect(
        "slopes_of(8)", slopes_of(8), powers_of_two({-1, -2, -3, -4, -5, -6, -7, -8}),
        {{powers_of_two({0, -1, -2, -3, -4, -5, -6, -7}),
          "The first is 1. The first factor comes before the first head: 1/2."},
         {powers_of_two({-8, -7, -6, -5, -4, -3, -2, -1}), "The order: the first head has the largest slope."}});
    exercises::expect("slopes_of(4)", slopes_of(4), powers_of_two({-2, -4, -6, -8}),
                      {{powers_of_two({-1, -2, -3, -4}),
                        "For 8 heads it is right. But here the factor is not 1/2: four steps must lead to 1/256."},
                       {powers_of_two({-0.5, -1, -1.5, -2}), "The exponent has H/8 where it should have 8/H."}});
    exercises::expect("slopes_of(16)", slopes_of(16),
                      powers_of_two({-0.5, -1, -1.5, -2, -2.5, -3, -3.5, -4, -4.5, -5, -5.5, -6, -6.5, -7, -7.5, -8}),
                      {{powers_of_two({0, -1, -1, -2, -2, -3, -3, -4, -4, -5, -5, -6, -6, -7, -7, -8}),
                        "Most slopes occur twice. Is the exponent a quotient of whole numbers, which C++ cuts off?"},
                       {ones({16}, DType::f64),
                        "All are 1. Is the exponent a quotient of whole numbers, 8/16, which C++ cuts off?"}});

    // One head, of slope 1/256: the distances are seen best so.
    const auto distances = [](const Nested& rows) { return tensor(rows, DType::f64) / -256; };
    exercises::expect("alibi(1, 3, 3)", alibi(1, 3, 3), distances({{{0, 1, 2}, {1, 0, 1}, {2, 1, 0}}}),
                      {{distances({{{1, 0, 1}, {2, 1, 0}, {3, 2, 1}}}),
                        "One too far: the last of three queries stands where the last of three keys stands."},
                       {zeros({1, 3, 3}, DType::f64), "Nothing is subtracted from any score yet."},
                       {distances({{{0, -1, -2}, {-1, 0, -1}, {-2, -1, 0}}}),
                        "The sign: what is added must make scores of distant keys smaller."},
                       {distances({{{0, -1, -2}, {1, 0, -1}, {2, 1, 0}}}),
                        "A key behind its query gets more. A distance is |i − j|."},
                       {distances({{{0, 1, 2}, {-1, 0, 1}, {-2, -1, 0}}}),
                        "A key before its query gets more. A distance is |i − j|."},
                       {distances({{{0, 0, 0}, {1, 0, 0}, {2, 1, 0}}}),
                        "Keys behind the query have got the distance 0. With a causal mask nobody sees that, but this "
                        "is to serve without one, too."}});
    exercises::expect(
        "alibi(1, 1, 4): the one query stands at the end", alibi(1, 1, 4), distances({{{3, 2, 1, 0}}}),
        {{distances({{{0, 1, 2, 3}}}), "The query was taken for one at place 0. It is the last of four."}});
    exercises::expect("alibi(8, 2, 5)", alibi(8, 2, 5), nn::alibi_bias(8, 2, 5, 3, DType::f64));
  });
}
