// 34. Rotary positions · grade 2 · chapter 08_positions
//
// Nothing is added to a query or a key; it is turned. Its features are cut into pairs, neighbours beside each other:
// (0, 1), (2, 3), … At position p pair j is turned by the angle p·ωⱼ, with ωⱼ = 10000^(−2j/D), counterclockwise. Then
// the score of a query at place 7 and a key at place 4 is that of the same two at places 43 and 40.
//
// This last sentence is the test of all who write it. It is not enough: it also holds if everything is turned the wrong
// way, or if the wrong features are paired. Then a model that was trained elsewhere begins its text well, and soon
// writes nonsense.
//
// Hint: To turn (a, b) by θ gives (a·cos θ − b·sin θ, a·sin θ + b·cos θ): by 90°, (−b, a). With to_vector(x) and a loop
// over rows and pairs you need two lines for each pair. Keep a before you overwrite it.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

#include <cmath>
#include <vector>

using namespace regard;

// TODO: return x (L, D), D even, with row i turned as at positions[i]. Positions may be any numbers, such as 0.5.
Tensor turned(const Tensor& x, const std::vector<double>& positions) { return x; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const double quarter = std::acos(0.0);  // 90°
    const Tensor queries = tensor({{-1, -1}, {1, 0}, {0, -1}}, DType::f64);
    exercises::expect(
        "turned: (−1, −1), (1, 0), (0, −1), by 0, 90° and 180°", turned(queries, {0, quarter, 2 * quarter}),
        tensor({{-1, -1}, {0, 1}, {0, 1}}, DType::f64),
        {{queries, "Nothing has been turned yet; or every row by the first angle, 0."},
         {tensor({{-1, -1}, {0, -1}, {0, 1}}, DType::f64),
          "Clockwise. (Both queries and keys so, and scores would be right; a half of them, and all are wrong.) By "
          "90°, (1, 0) becomes (0, 1)."},
         {tensor({{-1, -1}, {0, 0}, {0, 1}}, DType::f64),
          "Is the second number of a pair computed from the first one after that has been overwritten?"},
         {tensor({{-1, -1}, {-1, -1}, {-1, -1}}, DType::f64), "Each row must be turned, by its own angle."}});

    const Tensor four = tensor({{1, 2, 3, 4}}, DType::f64);
    const auto pairs = [](double first, double second) {  // (1, 2) and (3, 4), turned by two angles
      return tensor({{std::cos(first) - 2 * std::sin(first), std::sin(first) + 2 * std::cos(first),
                      3 * std::cos(second) - 4 * std::sin(second), 3 * std::sin(second) + 4 * std::cos(second)}},
                    DType::f64);
    };
    exercises::expect(
        "turned: (1, 2, 3, 4), at position 3", turned(four, {3}),
        tensor({{-1.2722325, -1.8388650, 2.8786683, 4.0881866}}, DType::f64),
        {{tensor({{-1.4133525, 1.8791188, -2.8288575, 4.0581946}}, DType::f64),
          "Features 0 and 2 are a pair here, and 1 and 3. That is the other layout, halves; wanted are neighbours."},
         {pairs(3, 3), "Both pairs are turned by the same angle. The second is slower: ω₁ = 10000^(−2/4)."},
         {pairs(3, 3 * std::pow(10000, -0.25)), "ω₁ is 10000^(−1/4) here: the exponent is −2j/D."},
         {pairs(3, 3e-4), "ω₁ is 1/10000 here: the exponent is −2j/D, and D is 4, not 2."},
         {pairs(3, 300), "The sign of the exponent: later pairs are slower."},
         {four, "The row has been turned by its number in x, 0, and not by its position, 3."},
         {tensor({{-0.7077525, -1.8388650, 3.1186323, 4.0881866}}, DType::f64),
          "This is no turn, for lengths change: there is a minus in one of the two lines."},
         {pairs(-3, -0.03), "Clockwise."}});

    Generator random(34);
    const Tensor q = normal({1, 8}, random, 0, 1, DType::f64), k = normal({1, 8}, random, 0, 1, DType::f64);
    const auto score = [&](double at_q, double at_k) { return sum(turned(q, {at_q}) * turned(k, {at_k})).item(); };
    exercises::expect("the score at places 43 and 40, which should be that at 7 and 4", score(43, 40), score(7, 4));
    exercises::expect("the length of a turned row, squared", sum(square(turned(q, {12.5}))).item(),
                      sum(square(q)).item());
    exercises::expect(std::abs(score(7, 4) - score(7, 5)) > 1e-3,
                      "The score at places 7 and 4 is that at 7 and 5: the distance makes no difference.");
  });
}
