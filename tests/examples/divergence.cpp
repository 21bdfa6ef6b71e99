// How far one distribution is from another.
#include "examples/trainers/divergence.h"

#include "tests/catch.h"
#include "tests/given.h"

using namespace regard;

// p = (1/2, 1/2), q = (1/4, 3/4): H = log 2, −Σ p·log q = ½·log 4 + ½·log 4/3 = ½·log 16/3, and the difference is
// ½·log 4/3.
TEST_CASE("Divergence of a coin from an unfair one, by hand") {
  const Tensor p = log(f64({0.5, 0.5})), q = log(f64({0.25, 0.75}));
  CHECK(entropy(p) == Approx(std::log(2)));
  CHECK(divergence(p, q) + entropy(p) == Approx(std::log(16.0 / 3) / 2));  // the cross-entropy
  CHECK(divergence(p, q) == Approx(std::log(4.0 / 3) / 2));
  CHECK(divergence(q, p) == Approx(std::log(0.25 * 2) / 4 + 3 * std::log(0.75 * 2) / 4));  // it is not symmetric
}

TEST_CASE("Divergence is a mean over places, never negative, 0 of a copy, and what the loss has beyond the entropy") {
  const Tensor p = log_softmax(noise({3, 4, 7}, 1), -1), q = log_softmax(noise({3, 4, 7}, 2), -1);
  double all = 0;
  for (std::int64_t i = 0; i < 3; ++i)
    for (std::int64_t j = 0; j < 4; ++j) {
      const double one = divergence(select(select(p, 0, i), 0, j), select(select(q, 0, i), 0, j));
      CHECK(one > 0);
      all += one;
    }
  CHECK(divergence(p, q) == Approx(all / 12));
  const double cross_entropy = -mean(sum(exp(p) * q, -1)).item();
  CHECK(divergence(p, q) == Approx(cross_entropy - entropy(p)));
  CHECK(divergence(p, p) == 0);
}

TEST_CASE("Divergence of other places is an error") {
  CHECK_THROWS_WITH(divergence(zeros({2, 3}), zeros({3})),
                    "divergence: log p (2, 3) and log q (3): they must have one shape, (…, V)");
}
