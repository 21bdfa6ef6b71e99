// What the caption about the scale of dot products says, for numbers of which it is so and for others.
#include "examples/trainers/scale_claims.h"
#include "tests/catch.h"

#include <string>
#include <vector>

using namespace regard;
using Catch::Matchers::ContainsSubstring;

namespace {
const std::vector<double> sizes{1, 4, 16};
const BySize steady{{1, 1, 1}, {3, 3, 3}, {0.2, 0.2, 0.2}, {0.5, 0.5, 0.5}};
const BySize spreading{{1, 4, 16}, {3, 2, 0.1}, {0.2, 0.5, 0.9}, {0.5, 0.6, 0.1}};
}  // namespace

TEST_CASE("scale claims: without the scale") {
  const std::string is_so = about_the_scale(sizes, spreading, steady), is_not = about_the_scale(sizes, steady, steady);
  CHECK_THAT(is_so, ContainsSubstring("the variance of the scores is D"));
  CHECK_THAT(is_so, ContainsSubstring("At D = 16 one key takes 90 % of the weight; with the scale it takes 20 %"));
  CHECK_THAT(is_so, ContainsSubstring("longest at D = 4, and at D = 16 it is 5.0 times shorter"));
  CHECK_THAT(is_not, !ContainsSubstring("is D."));
  CHECK_THAT(is_not, !ContainsSubstring("one key"));
  CHECK_THAT(is_not, !ContainsSubstring("gradient"));
}

TEST_CASE("scale claims: the title has the least and the largest variance with the scale") {
  CHECK(title_of_the_scale(spreading) == "divided by √D, scores have a variance from 1.00 to 16.00 at every D");
}

TEST_CASE("scale claims: from which size on nothing depends on it") {
  CHECK_THAT(about_the_scale(sizes, spreading, steady), ContainsSubstring("within a tenth of one value, whatever D"));
  BySize later = steady;
  later.entropy[0] = 3.5;
  CHECK_THAT(about_the_scale(sizes, spreading, later), ContainsSubstring("within a tenth of one value from D = 4 on"));
  CHECK_THAT(about_the_scale(sizes, spreading, spreading), !ContainsSubstring("With 1/√D"));
}
