// What the captions of the trainers of recall say, for numbers of which it is so and for others.
#include "examples/trainers/recall_claims.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tests/catch.h"

#include <string>
#include <vector>

using namespace regard;
using namespace regard::recall;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("recall claims: how much weight is on the diagonal, and whether it is most of it") {
  const Tensor flat = full({4, 4}, 0.25), learned = 0.6 * eye(4) + 0.1, halfway = 0.2 * eye(4) + 0.2;
  CHECK(title_of_weights(flat, learned) == "weight on a query's own key: 0.25 at first, 0.70 at the end");

  const std::string grown = about_weights(flat, learned);
  CHECK_THAT(grown, ContainsSubstring("0.25 each; the largest of the untrained score is 0.25"));
  CHECK_THAT(grown, ContainsSubstring("more than half"));
  CHECK_THAT(about_weights(flat, halfway), !ContainsSubstring("more than half"));
}

TEST_CASE("recall claims: what remains, and whether it still falls") {
  const std::vector<double> falling{16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1};
  const std::vector<double> settled{16, 8, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  const std::vector<double> stuck{16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16, 16};
  const ErrorsByNoise noise{1, 0.6, 0.5, 0.01}, more{1, 0.9, 0.9, 0.8};

  CHECK_THAT(about_errors(falling, noise), ContainsSubstring("still falls: the training has not converged"));
  CHECK_THAT(about_errors(falling, noise), ContainsSubstring("What is left so far comes with the noise"));
  CHECK_THAT(about_errors(falling, noise), !ContainsSubstring("What remains"));
  CHECK_THAT(about_errors(settled, noise), ContainsSubstring("it falls no more") && !ContainsSubstring("still"));
  CHECK_THAT(about_errors(settled, noise),
             ContainsSubstring("What remains is due to the noise in queries and keys: without any it is 0.01, "
                               "with noise in the queries alone 0.6, in the keys alone 0.5."));
  CHECK_THAT(about_errors(settled, more), ContainsSubstring("Noise is not all that remains"));
  CHECK_THAT(about_errors(settled, more), !ContainsSubstring("What remains is due"));
  CHECK_THAT(about_errors(stuck, noise), ContainsSubstring("little is learned") && !ContainsSubstring("remains"));
  CHECK_THAT(about_errors({16, 1}, noise), !ContainsSubstring("quarter"));
}
