#include "nn/tools/explain/paths.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard {

TEST_CASE("path length: operations are counted on the shortest way") {
  const Variable x = parameter(f64({1, 2})), other = parameter(f64({1, 2}));
  const Variable a = tanh(x), b = exp(a);
  CHECK(path_length(x, x) == 0);
  CHECK(path_length(a, x) == 1);
  CHECK(path_length(b, x) == 2);
  CHECK(path_length(a * b, x) == 2);       // the product and tanh, not by way of exp
  CHECK(path_length(exp(b) * b, x) == 3);  // the product, exp and tanh
  CHECK(path_length(b + x, x) == 1);
  CHECK(path_length(b, other) == -1);
  CHECK(path_length(detach(b) * other, x) == -1);
}

}  // namespace regard
