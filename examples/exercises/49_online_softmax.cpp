// 49. Softmax in one pass · grade 3 · chapter 16_cost
//
// A query looks at a hundred thousand keys. Its weights are powers divided by the sum of all powers, and that sum is
// known only after the last key. So it seems that all scores must be held. In 2018 somebody noticed that they need not
// be: keep the largest score so far, m, and with it two sums, l = Σ e^(s − m) and o = Σ e^(s − m)·v. If a larger score
// comes, both are wrong by the same factor. This is what made attention over long texts possible.
// And it does more: two threads can each take a half of the keys, and what they have found can be put together.
//
// Hint: A sum that was made with m is multiplied by e^(m − m′) if the largest score is now m′. Where does m begin, so
// that the first score is larger, whatever it is? And what is ∞ − ∞?
#include "examples/exercises/exercise.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/ops/matmul.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/ops/softmax.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

using namespace regard;

// TODO: all three functions, and what m is at the beginning. No function may hold more than one score.
struct Seen {
  double m = 0, l = 0;
  double o[2] = {0, 0};
};

// One more key, with its score and its value. A score of −∞ is that of a hidden key.
void add(Seen& seen, double score, const double (&value)[2]) {
  seen.l += std::exp(score);
  for (int c = 0; c < 2; ++c) seen.o[c] += std::exp(score) * value[c];
}

// What one would have seen with the keys of both. Either of them may have seen nothing.
Seen together(const Seen& a, const Seen& b) { return {0, a.l + b.l, {a.o[0] + b.o[0], a.o[1] + b.o[1]}}; }

// The output, (2). If no key was seen it is 0.
std::vector<double> output(const Seen& seen) { return {seen.o[0] / seen.l, seen.o[1] / seen.l}; }

// ---- This is what checks it. ----

namespace {

Seen after(const std::vector<double>& scores, const Tensor& values) {
  Seen seen;
  for (std::size_t j = 0; j < scores.size(); ++j) {
    const auto row = static_cast<std::int64_t>(j);
    add(seen, scores[j], {values.at({row, 0}), values.at({row, 1})});
  }
  return seen;
}

Tensor row(const std::vector<double>& list) { return tensor(list, {std::ssize(list)}, DType::f64); }

// The query birds, whose scores are −2, −1 and −1 in units of ln 2, sees singing, love and birds, in this order.
void check_on_paper() {
  const double ln2 = std::log(2);
  const Seen seen = after({-2 * ln2, -ln2, -ln2}, tensor({{6, 12}, {6, 0}, {0, 12}}, DType::f64));
  exercises::expect("m/ln 2, l, o₁, o₂ of birds, after singing, love and birds",
                    row({seen.m / ln2, seen.l, seen.o[0], seen.o[1]}), row({-1, 2.5, 9, 18}),
                    {{row({0, 1.25, 4.5, 9}),
                      "These are sums of e^s itself, as if m were 0. With a score of 1000 they are infinite, and with "
                      "scores of −1000 they are 0. Subtract the largest score so far."},
                     {row({-1, 3, 12, 24}), "When a larger score came, l and o stayed as they were."},
                     {row({-1, 2.5, 12, 24}), "When a larger score came, only l was multiplied. o is such a sum, too."},
                     {row({-1, 3, 9, 18}), "When a larger score came, only o was multiplied. l is such a sum, too."},
                     {row({-1, NAN, NAN, NAN}), "0·∞: the factor is e^(old m − new m), and not the other way round."},
                     {row({-1, 4, 18, 36}), "The factor is e^(old m − new m), which is below 1. Yours is above."}});
  exercises::expect("the output of birds", row(output(seen)), row({3.6, 7.2}));
}

void check_large_and_hidden() {
  const Tensor values = tensor({{0, 12}, {6, 0}, {6, 12}}, DType::f64);
  exercises::expect("the output for scores 1000 + (0, ln 2, 0)",
                    row(output(after({1000, 1000 + std::log(2), 1000}, values))), row({4.5, 6}));
  exercises::expect("the output for scores −1000 + (0, ln 2, 0)",
                    row(output(after({-1000, -1000 + std::log(2), -1000}, values))), row({4.5, 6}),
                    {{row({NAN, NAN}), "All powers are 0. Where does m begin? It must be below every score."},
                     {row({0, 0}), "All powers are 0. Where does m begin? It must be below every score."}});
  exercises::expect("the output for the scores −∞, 0, −∞", row(output(after({-INFINITY, 0, -INFINITY}, values))),
                    row({6, 0}), {{row({NAN, NAN}), "The first key is hidden, and −∞ − (−∞) is not a number."}});
  exercises::expect("the output if no key is seen", row(output(Seen{})), row({0, 0}),
                    {{row({NAN, NAN}), "This is 0/0. The output is defined as 0 then."}});
  exercises::expect("the output if all keys are hidden", row(output(after({-INFINITY, -INFINITY, -INFINITY}, values))),
                    row({0, 0}),
                    {{row({4, 8}), "Hidden keys count: e^(−∞ − m) should be 0, and not e^(−∞ + ∞)."},
                     {row({NAN, NAN}), "This is 0/0, or −∞ − (−∞)."}});
}

// The output if the sums of both parts are added as they are, each with the largest score of its own part.
Tensor plainly_added(const Tensor& scores, const Tensor& values, std::int64_t cut) {
  const Tensor a = slice(scores, 0, 0, cut), b = slice(scores, 0, cut);
  const Tensor powers = exp(cat({a - max(a), b - max(b)}, 0));
  return matmul(powers / sum(powers), values);
}

// Any cut of the keys gives the same.
void check_together() {
  Generator generator(1);
  const Tensor scores = normal({9}, generator, 0, 4, DType::f64), values = normal({9, 2}, generator, 0, 1, DType::f64);
  const Tensor right = matmul(softmax(scores, 0), values);
  for (std::int64_t cut = 0; cut <= 9; ++cut) {
    const Seen a = after(to_vector(slice(scores, 0, 0, cut)), slice(values, 0, 0, cut));
    const Seen b = after(to_vector(slice(scores, 0, cut)), slice(values, 0, cut));
    const std::string what = fmt::format("the output of 9 keys, cut into {} and {}", cut, 9 - cut);
    std::vector<exercises::Mistake> mistakes{
        {row({NAN, NAN}), "One of the two has seen nothing. What is its m, and what comes of it?"}};
    if (cut > 0 && cut < 9)
      mistakes.push_back(
          {plainly_added(scores, values, cut),
           "The two sums were made with different m. Bring both to the larger one before you add them."});
    exercises::expect(what, row(output(together(a, b))), right, mistakes);
    exercises::expect(what + ", exchanged", row(output(together(b, a))), right);
  }
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_on_paper();
    check_large_and_hidden();
    check_together();
  });
}
