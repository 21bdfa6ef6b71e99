// What the captions of 11 say holds for the numbers, and is not said where it does not.
#include "examples/trainers/positions_claims.h"

#include "tests/catch.h"
#include "tests/given.h"

#include <string>

using namespace regard;
using namespace regard::positions;

namespace {

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

const Tensor near_is_best = f64({{5, 2, 1}, {2, 5, 2}, {1, 2, 5}}),
             next_is_best = f64({{1, 5, 0}, {2, 1, 5}, {1, 2, 1}});
const Tensor by_place = f64({{1, 2, 3}, {3, 1, 2}, {2, 3, 4}});

}  // namespace

TEST_CASE("Similarity: by distance alone and largest at 0, or not") {
  CHECK(about_similarity(near_is_best) ==
        "The dot product of two rows depends on their distance alone: the curves of all i are one. It is largest at "
        "distance 0.");
  CHECK(says(about_similarity(next_is_best), "depends on their distance alone"));
  CHECK_FALSE(says(about_similarity(next_is_best), "distance 0"));
  CHECK(about_similarity(by_place) == "Dot products at the same distance differ by up to 3.");
}

TEST_CASE("Rotary scores: where they are largest, and whether they repeat the similarity") {
  const std::string both = about_rotary(near_is_best, next_is_best, 1e-15);
  CHECK(says(both,
             "stripes along the diagonal. With k = q the score is largest at distance 0. With another k it is "
             "largest at distance 1"));
  CHECK(says(both, "the curve of the picture before"));
  CHECK_FALSE(says(about_rotary(near_is_best, next_is_best, 0.1), "the curve of the picture before"));
  CHECK_FALSE(says(about_rotary(near_is_best, near_is_best, 0), "another k it is"));
  CHECK_FALSE(says(about_rotary(next_is_best, near_is_best, 0), "largest at distance 0"));
  CHECK_FALSE(says(about_rotary(near_is_best, by_place, 0), "stripes"));
}

TEST_CASE("ALiBi: straight, and half as steep from head to head, or not") {
  const Tensor one = f64({{0, -1, -2}, {-1, 0, -1}, {-2, -1, 0}}), bent = f64({{0, -1, -3}, {-1, 0, -1}, {-3, -1, 0}});
  CHECK(about_alibi(stack({one, one * 0.5}, 0)) ==
        "ALiBi, with a score of 0: the bias falls in a straight line. Each head is half as steep as the one before.");
  CHECK_FALSE(says(about_alibi(stack({one, one * 0.7}, 0)), "half as steep"));
  CHECK_FALSE(says(about_alibi(stack({bent, bent * 0.5}, 0)), "straight"));
}
