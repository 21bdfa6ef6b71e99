// 04. Used twice · grade 2 · chapter 00_first_hour
//
// Somebody has written the walk back in a hurry. It finds ∂y/∂b in y = a·b + a, and is wrong about a, which is used
// twice. You mend that in a minute. Then the program is given a chain of 40 sums, each of the two numbers before it,
// and does not end: it goes each way back from the last sum by itself, and to number 1 alone there are 165,580,141
// ways.
//
// A number that is used twice needs two things: what comes by several ways adds up; and it may hand on only when it has
// got everything, once.
//
// Hint: Read "The walk back" again. Why is `waiting` sorted there? Here the numbers stand in the order in which they
// were made already, so one loop over them will do. In which direction?
#include "examples/exercises/exercise.h"
#include "tensor/create.h"

#include <vector>

using namespace regard;

struct Use {
  int input;     // which number was used: its place among all
  double slope;  // ∂(output)/∂(input)
};

// Numbers 0, 1, …, count − 1, in the order in which they were made. A leaf has no uses.
struct Computation {
  using Uses = std::vector<Use>;
  std::vector<Uses> made_from;

  int count() const { return static_cast<int>(made_from.size()); }
  const Uses& uses(int number) const;
};

// TODO: return the derivatives of the last number with respect to each, from that of number 0 to that of itself. You
// may throw away all of this.
void hand_on(const Computation& c, int number, double gradient, std::vector<double>& gradients) {
  gradients[number] = gradient;
  for (const auto& [input, slope] : c.uses(number)) hand_on(c, input, slope * gradient, gradients);
}

std::vector<double> walk_back(const Computation& c) {
  std::vector<double> gradients(c.count());
  hand_on(c, c.count() - 1, 1, gradients);
  return gradients;
}

// ---- This is what checks it. ----

int visits = 0;

const Computation::Uses& Computation::uses(int number) const {
  exercises::expect(++visits < 10000,
                    "Sums are right now. But in a chain of 40 sums, each of the two numbers before it, your walk has "
                    "made 10000 visits and is not done. It goes on from a number each time that something arrives "
                    "there. Let it wait until everything has arrived, and go on once.");
  return made_from[number];
}

Tensor row(const Nested& numbers) { return tensor(numbers, DType::f64); }
Tensor walked(const Computation& c) { return tensor(walk_back(c), {c.count()}, DType::f64); }

int main() {
  return exercises::exercise([] {
    const Computation sum{{{}, {}, {{0, 3}, {1, 2}}, {{2, 1}, {0, 1}}}};
    exercises::expect(
        "of y = a·b + a at a = 2, b = 3: by a, b, u = a·b, y", walked(sum), row({4, 2, 1, 1}),
        {{row({1, 2, 1, 1}), "a got 3 by way of u, and 1 directly. The second one has taken the place of the first."},
         {row({3, 2, 1, 1}), "a got 1 directly, and 3 by way of u. The second one has taken the place of the first."},
         {row({1, 0, 1, 1}), "u has handed on nothing. It had its turn before y, when it had got nothing yet."},
         {row({8, 5, 2, 1}), "All began with 1. Only y grows as much as itself; the others have to get theirs."},
         {row({0, 0, 0, 0}), "The walk must begin with something: y grows as much as itself, so ∂y/∂y is 1."}});
    const Computation far{{{}, {}, {{0, 3}, {1, 2}}, {{2, 6}, {2, 6}}, {{3, 2}}, {{4, 1}, {2, 1}}}};
    exercises::expect(
        "of y = 2·u·u + u with u = a·b at a = 2, b = 3: by a, b, u, u·u, 2·u·u, y", walked(far),
        row({75, 50, 25, 2, 1, 1}),
        {{row({3, 2, 13, 2, 1, 1}), "What is handed on is the slope alone, and not times what the number got itself."},
         {row({3, 2, 25, 2, 1, 1}),
          "u got 25 in the end, but when it had its turn it had only 1. So it was too early."},
         {row({36, 24, 25, 2, 1, 1}), "u got 25 in the end, but when it had its turn it had 12. So it was too early."},
         {row({153, 102, 25, 2, 1, 1}),
          "u has handed on 1, then 25 twice. It should have its turn once, with all it gets."}});
    Computation chain{{{}, {}}};
    for (int i = 2; i <= 41; ++i) chain.made_from.push_back({{i - 1, 1}, {i - 2, 1}});
    exercises::expect("of the last of 40 sums, by number 1", walk_back(chain)[1], 165580141);
  });
}
