// 01. A slope on paper · grade 1 · chapter 00_first_hour
//
// A carpet is a = 2 m wide, and b = 3 m longer than it is wide. So its area is y = (a + b)·a = 10 m².
//
//   u = a + b = 5        y = u·a = 10
//
// The shop makes it a little wider, and it stays 3 m longer than wide. If a grows by 1 mm, how many times as much does
// y grow? And if instead b grows by 1 mm, so that the carpet gets longer only? No machine is needed: write the slope of
// each of the two steps at its arrow, as in "The chain rule on paper", and walk back from y.
//
// Hint: y is a product, and a is in both of its factors. So there are two ways from a to y. What does each of them hand
// on?
#include "examples/exercises/exercise.h"

using namespace regard;

// TODO: type the two derivatives at a = 2 and b = 3.
const double dy_da = 0;
const double dy_db = 0;

// ---- This is what checks it: it does not compute derivatives, it measures slopes. ----

double area(double a, double b) { return (a + b) * a; }

int main() {
  return exercises::exercise([] {
    const double h = 0.001;
    exercises::expect_typed(
        "∂y/∂a", dy_da, (area(2 + h, 3) - area(2 - h, 3)) / (2 * h),
        {{0, "Type your numbers in place of the zeros after TODO. ∂y/∂a is not 0: a wider carpet is larger."},
         {5, "This is the way from a straight to the product, whose slope is u. But a is also a part of u."},
         {2, "This is the way through the sum u, with 1·a. But a is also the other factor of the product."},
         {10, "Along one way slopes multiply. But these are two ways, and what comes by several ways adds up."},
         {4, "This is the slope of a² alone. The area is a² + b·a: what does the second part add?"},
         {3, "This is the slope of b·a alone. The area is a² + b·a: what does the first part add?"},
         {6,
          "Is this the sum of 1 and 5? The way through the sum does not end there: it goes on through the product."}});
    exercises::expect_typed(
        "∂y/∂b", dy_db, (area(2, 3 + h) - area(2, 3 - h)) / (2 * h),
        {{0, "∂y/∂a is right. Type the other number, too: if b grows, u grows, and so does y."},
         {1, "This is the slope of u with respect to b. From u it goes on to y: along a way, slopes multiply."},
         {5, "The slope of a product is the other factor. Seen from u, which one is the other?"},
         {3, "This is b itself. How much does y grow, compared with b?"},
         {7, "This is ∂y/∂a. b reaches y through the sum only."}});
  });
}
