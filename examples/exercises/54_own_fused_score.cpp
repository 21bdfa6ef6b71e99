// 54. A fused score of your own · grade 3 · chapter 18_own_variant
//
// Here is a new kind of attention: s = −p·ln(1 + Σ_c w_c²·(q_c − k_c)²). Each feature c has a scale w_c of its own, so
// the model can learn which features matter; p says how fast a far key is forgotten; and the long tail lets it count a
// little all the same. It is written below, and it works: but it holds a table of all pairs, and 16,384 words need a
// gigabyte for each head. Say what its fused form is, and it will do without.
//
// Hint: A fused score is a sum over features, and then a function of the sum. Which of the two is the logarithm? And
// what could be done to all queries and all keys before they meet, n times and not n² times?
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/attention/attention.h"
#include "nn/attention/scores/distance.h"
#include "nn/kit/subject.h"

using namespace regard;

struct LongTail {
  Variable w, p;  // (D), ()

  void visit(nn::Visitor& v) {
    v("w", w);
    v("p", p);
  }
  Variable operator()(const Variable& q, const Variable& k) const {
    return -(p * log(1 + nn::squared_distance(q * w, k * w)));
  }
  nn::FusedForm fused(const Variable& q, const Variable& k, std::int64_t offset) const;
};

// TODO: the fused form: which score it is, and the queries and keys that it is given. score(…), modified(…) and
// per_head(…) are explained in the chapter.
nn::FusedForm LongTail::fused(const Variable& q, const Variable& k, std::int64_t) const {
  return {score([](auto a, auto b) { return -log(1 + square(a - b)); }), q, k};
}

// ---- This is what checks it. ----

namespace {

Variable random(const Shape& shape, std::uint64_t seed) {
  Generator generator(seed);
  return parameter(normal(shape, generator, 0, 1, DType::f64));
}

void check_outputs() {
  const Variable q = random({4, 3}, 1), k = random({5, 3}, 2), v = random({5, 2}, 3);
  const Variable w(tensor({0.5, 1, 2}, DType::f64)), p(full({}, 1.5, DType::f64));
  nn::Attention attention(LongTail{w, p}), tiles(LongTail{w, p}, {.method = nn::Method::fused});
  const auto with = [&](const Variable& scores) { return matmul(softmax(scores, -1), v).value(); };
  const Variable apart = square(unsqueeze(q, 1) - unsqueeze(k, 0)), wide = apart * square(w);  // (4, 5, 3)
  exercises::expect(
      "the outputs of four queries, fused", tiles(q, k, v).output.value(), attention(q, k, v).output.value(),
      {{with(-sum(log(1 + apart), -1)),
        "This is Σ ln(1 + (q − k)²), for each feature by itself, without w and p. The logarithm comes after the sum."},
       {with(-p * sum(log(1 + wide), -1)),
        "This is a sum of logarithms. The logarithm comes after the sum: modified(…)."},
       {with(-sum(log(1 + wide), -1)), "This is a sum of logarithms. The logarithm comes after the sum: modified(…)."},
       {with(-p * log(1 + sum(apart, -1))), "The scales w of the features do not take part."},
       {with(-log(1 + sum(wide, -1))), "p does not take part."},
       {with(-log(1 + sum(apart, -1))), "Neither w nor p takes part yet."},
       {with(-p * log(1 + sum(apart * w, -1))), "The scale enters squared, as in (w·(q − k))²."},
       {with(-p * sum(wide, -1)), "The logarithm is missing, so the tail is short."},
       {with(p * log(1 + sum(wide, -1))), "The sign is wrong: this prefers the farthest key."}},
      1e-9);
}

void check_laws() {
  const auto make = [](Generator& generator) {
    return LongTail{parameter(uniform({4}, generator, 0.5, 1.5)), parameter(full({}, 1.5))};
  };
  const nn::kit::Report report = nn::kit::examine(nn::kit::variant("long tail", make));
  exercises::expect(
      report.passed(),
      "The outputs are right, but a law is broken. Are w and p Variables all the way, so that they learn?\n" +
          report.to_string());
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_outputs();
    check_laws();
  });
}
