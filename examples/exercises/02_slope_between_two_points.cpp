// 02. The slope between two points · grade 1 · chapter 00_first_hour
//
// You have derived the rule of x³, 3x², and want to check it by measuring. At x = 2 it says 12. You step from 2 to 2.1.
// The cube grows by 1.261, which is 12.61 times 0.1. Is the rule wrong, or is it the measurement? So far nobody can
// tell.
//
// "Is the gradient right?" in the chapter steps to both sides instead. Its slope is that between x − h and x + h, and
// its error is much smaller for the same h. The function below still measures to one side.
//
// Hint: How far apart are the two points now?
#include "examples/exercises/exercise.h"
#include "tensor/create.h"

#include <cmath>
#include <functional>

using namespace regard;

// TODO: return the slope of f between x − h and x + h. Then use it, or a pencil, to find out how the error (for x³ at
// 2: the slope, less 12) changes with h, and type by which factor it shrinks if h becomes ten times smaller.
double slope(const std::function<double(double)>& f, double x, double h) { return (f(x + h) - f(x)) / h; }
const double error_shrinks_by = 0;

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto f = [](double x) { return x * x * x; };
    const double x = 2, h = 0.1, d = std::pow(x + h, 3) - std::pow(x - h, 3);
    exercises::expect(
        "slope of x³ at 2, with h = 0.1", slope(f, x, h), d / (2 * h),
        {{(f(x + h) - f(x)) / h, "This is the slope between x and x + h. The other point should be x − h."},
         {(f(x) - f(x - h)) / h, "This is the slope between x − h and x. The other point should be x + h."},
         {d / h, "Twice too much: from x − h to x + h it is not h, but two times h."},
         {d / 2 * h, "In C++ a / 2 * h is (a / 2)·h. To divide by 2h it needs brackets: a / (2 * h)."},
         {-d / (2 * h), "The sign is wrong. From x − h to x + h the cube grows."},
         {12, "This is the derivative. Asked is the slope between 1.9 and 2.1, which is not quite the same."}});
    exercises::expect("slope of x² at −1, with h = ½", slope([](double t) { return t * t; }, -1, 0.5), -2);
    exercises::expect_typed(
        "the factor by which the error shrinks", error_shrinks_by, (slope(f, 2, 0.1) - 12) / (slope(f, 2, 0.01) - 12),
        {{0,
          "The slope is right. Now print slope(f, 2, h) − 12 for h = 0.1 and h = 0.01, divide one by the other, and "
          "type the number."},
         {10, "So it would be with a step to one side. Look at the errors of your slope with h = 0.1 and h = 0.01."},
         {0.01, "That is how much of the error is left. Asked is the factor by which it shrinks, which is above 1."},
         {1000, "Work it out: (2 + h)³ − (2 − h)³ is 24h + 2h³. Divide by 2h. What is left beside 12?"}});
  });
}
