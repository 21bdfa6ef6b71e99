// 50. A number with a slope · grade 2 · chapter 16_cost
//
// You write x·e^(−x·x), as a line of code, and the derivative comes out beside the value. Nobody has derived it, and no
// graph was recorded: every number carries along how fast it grows with x, and every operation passes that on. Such a
// pair (value; slope) is a dual number. The library finds the slopes of any score in this way.
// And since a slope may be a dual number itself, the second derivative comes out, too, of the same few lines.
//
// Hint: x grows by a tiny h. Then the value of a grows by h·a.slope, and that of b by h·b.slope. By how much does a·b
// grow, if h² is left out? And for ÷: what is multiplied by b gives a.
#include "examples/exercises/exercise.h"

#include <cmath>

using namespace regard;

// T is double, or a dual number again.
template <class T>
struct Dual {
  T value, slope;
};

template <class T>
Dual<T> operator+(const Dual<T>& a, const Dual<T>& b) {
  return {a.value + b.value, a.slope + b.slope};
}
template <class T>
Dual<T> operator-(const Dual<T>& a, const Dual<T>& b) {
  return {a.value - b.value, a.slope - b.slope};
}

using std::exp;  // exp(…) of a double is that of the standard library, and of a dual number the one below

// TODO: product, quotient and power. Use + − · ÷ and exp on value and slope, whatever their type is.
template <class T>
Dual<T> operator*(const Dual<T>& a, const Dual<T>& b) {
  return {a.value * b.value, a.slope * b.slope};
}
template <class T>
Dual<T> operator/(const Dual<T>& a, const Dual<T>& b) {
  return {a.value / b.value, a.slope / b.slope};
}
template <class T>
Dual<T> exp(const Dual<T>& a) {
  return {exp(a.value), exp(a.slope)};
}

// ---- This is what checks it. ----

namespace {

using Number = Dual<double>;
using Twice = Dual<Number>;

Twice twice(double x, double slope) { return {{x, slope}, {slope, 0}}; }

}  // namespace

int main() {
  return exercises::exercise([] {
    const Number x{3, 1}, y{4, 2}, zero{0, 0};
    exercises::expect("the value of (3; 1)·(4; 2)", (x * y).value, 12);
    exercises::expect(
        "the slope of (3; 1)·(4; 2)", (x * y).slope, 10,
        {{2,
          "Leibniz asked in 1675 whether it is so, and found that it is not. Take x·x: its slope is 2x, and not 1·1."},
         {4, "The second factor grows as well: with 2, and the first is 3."},
         {6, "The first factor grows as well: with 1, and the second is 4."},
         {11, "3·1 + 4·2: each slope is multiplied by the value of the other number."},
         {12, "With h² left out nothing of slope·slope remains."}});
    exercises::expect("the slope of e^(½; 3)", exp(Number{0.5, 3}).slope, 3 * std::exp(0.5),
                      {{std::exp(3), "The slope of e^a is e^a times the slope of a."},
                       {std::exp(0.5), "That is the slope with respect to a. But a itself grows with 3."},
                       {0.5 * std::exp(-0.5) * 3, "e^a is its own derivative; the exponent stays as it is."},
                       {3, "And how large is e^a itself? The larger it is, the faster it grows."}});
    exercises::expect("the value of (3; 1)/(4; 2)", (x / y).value, 0.75);
    exercises::expect("the slope of (3; 1)/(4; 2)", (x / y).slope, -0.125,
                      {{0.5, "The slope of a quotient is no quotient of slopes."},
                       {0.125, "The sign is wrong: if only the denominator grows, the quotient falls."},
                       {0.625, "What the denominator does is subtracted: (1·4 − 3·2)/16."},
                       {-0.5, "Divide by the denominator squared: by 16."},
                       {0.25, "The denominator grows, too."}});
    // σ(x) = 1/(1 + e^(−x)) has the slope σ·(1 − σ).
    const Number one{1, 0}, sigma = one / (one + exp(zero - Number{std::log(2), 1}));
    exercises::expect("the slope of 1/(1 + e^(−x)) at ln 2", sigma.slope, 2.0 / 9);
    // f = x·e^(−x·x) has f′ = (1 − 2x²)·e^(−x²) and f″ = (4x³ − 6x)·e^(−x²).
    const Twice t = twice(0.5, 1), f = t * exp(twice(0, 0) - t * t);
    exercises::expect("the slope of x·e^(−x·x) at ½", f.slope.value, 0.5 * std::exp(-0.25));
    exercises::expect("the slope of the slope", f.slope.slope, -2.5 * std::exp(-0.25));
  });
}
