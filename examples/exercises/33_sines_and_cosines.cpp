// 33. Sines and cosines · grade 1 · chapter 08_positions
//
// A row of clock hands tells attention where a word stands. The first hand turns by 1 for each word (in radians), the
// next ones slower and slower, and of each hand the table has the sine and, beside it, the cosine:
//
//   P(i, 2j) = sin(i·ωⱼ)     P(i, 2j + 1) = cos(i·ωⱼ)     ωⱼ = 10000^(−2j/E)
//
// Many programs have a table that is not quite this one, and nobody notices: a model learns with each of them. It is
// noticed on the day on which a trained model is loaded.
//
// Hint: Both columns of a hand have the same ω, so for columns c = 2 and c = 3 the exponent has 2j = 2. If E is odd the
// last hand has a sine only. In C++ 1/2 of whole numbers is 0.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <cmath>
#include <vector>

using namespace regard;

// TODO: return the table for positions 0, 1, …, count − 1, of shape (count, size). Do not call nn::sinusoidal_table.
Tensor clocks(int count, int size) {
  std::vector<double> table;
  for (int i = 0; i < count; ++i)
    for (int c = 0; c < size; ++c) {
      const double angle = i * std::pow(10000.0, -static_cast<double>(c) / size);
      table.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  return tensor(table, {count, size}, DType::f64);
}

// ---- This is what checks it. ----

// A table made of hand(i, c) for each place.
template <class Hand>
Tensor made_of(const Hand& hand) {
  std::vector<double> table;
  for (int i = 0; i < 2; ++i)
    for (int c = 0; c < 4; ++c) table.push_back(hand(i, c));
  return tensor(table, {2, 4}, DType::f64);
}

int main() {
  return exercises::exercise([] {
    const double sine = std::sin(1), cosine = std::cos(1);  // the fast hand at position 1
    const double slow_sine = std::sin(0.01), slow_cosine = std::cos(0.01);
    const auto wave = [](int c, double angle) { return c % 2 == 0 ? std::sin(angle) : std::cos(angle); };
    exercises::expect(
        "clocks(2, 4)", clocks(2, 4), tensor({{0, 1, 0, 1}, {sine, cosine, slow_sine, slow_cosine}}, DType::f64),
        {{made_of([&](int i, int c) { return wave(c, i * std::pow(10000, -c / 4.0)); }),
          "Each column has an ω of its own. Sine and cosine of a hand must have the same: columns 0 and 1 have ω₀."},
         {made_of([&](int i, int c) { return wave(c, i * std::pow(10000, -(c / 2) / 4.0)); }),
          "The exponent has −j/E in place of −2j/E: the second hand is too fast."},
         {made_of([&](int i, int c) { return wave(c, i * std::pow(10000, (c - c % 2) / 4.0)); }),
          "The sign of the exponent: hands must get slower, and these get faster."},
         {made_of([&](int i, int c) { return wave(c, i); }),
          "All hands turn at the same speed. Is the exponent a quotient of whole numbers, which C++ cuts off?"},
         {tensor({{0, 0, 1, 1}, {sine, slow_sine, cosine, slow_cosine}}, DType::f64),
          "First all sines, then all cosines: so it is in some programs, but here each cosine stands beside its sine."},
         {tensor({{1, 0, 1, 0}, {cosine, sine, slow_cosine, slow_sine}}, DType::f64), "The sine comes first."},
         {made_of([&](int i, int c) { return wave(c, (i + 1) * std::pow(10000, -(c - c % 2) / 4.0)); }),
          "Positions are counted from 0: the first row has the angle 0."},
         {made_of([&](int i, int c) { return wave(c, i * std::pow(10000, -(c - c % 2) / 2.0)); }),
          "The exponent is divided by E/2; it should be divided by E."}});
    exercises::expect("clocks(3, 5): the last of five columns has no cosine", clocks(3, 5),
                      nn::sinusoidal_table(3, 5, 0, DType::f64));
    exercises::expect("clocks(50, 16)", clocks(50, 16), nn::sinusoidal_table(50, 16, 0, DType::f64));
  });
}
