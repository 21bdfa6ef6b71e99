#include "nn/connected.h"

#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

namespace regard::nn {

using Catch::Matchers::ContainsSubstring;

namespace {

struct TwoLayers {
  Linear first, second;
  explicit TwoLayers(Generator& g) : first({.in = 2, .out = 3}, g), second({.in = 3, .out = 1}, g) {}
  void visit(Visitor& v) {
    v("first", first);
    v("second", second);
  }
};

const std::string unseen = "no operation on the way to the loss used it";

}  // namespace

TEST_CASE("assert_connected: says nothing where each parameter takes part") {
  Generator g(1);
  TwoLayers model(g);
  const Variable hidden = model.first(ones({4, 2}));
  CHECK_NOTHROW(assert_connected(sum(model.second(hidden)), model));
  CHECK_NOTHROW(assert_connected(sum(model.second(relu(hidden) * 0)), model));  // connected, though the slope is 0
  model.first.weight = detach(model.first.weight);
  model.first.bias = detach(model.first.bias);
  CHECK_NOTHROW(assert_connected(sum(model.second(model.first(ones({4, 2})))), model));  // frozen on purpose
}

TEST_CASE("assert_connected: names each parameter that is cut off, and where its value went") {
  Generator g(1);
  TwoLayers model(g);
  const Tensor x = ones({4, 2});
  CHECK_THROWS_WITH(assert_connected(sum(model.second(detach(model.first(x)))), model),
                    "assert_connected: the loss does not depend on 2 of 4 parameters: first.weight (3, 2): " + unseen +
                        "; first.bias (3): " + unseen + ". The constants that took part: (4, 3) given to linear");
  TwoLayers copy = clone(model);
  CHECK_THROWS_WITH(
      assert_connected(sum(copy.second(model.first(x))), model),
      ContainsSubstring("2 of 4 parameters: second.weight (1, 3): another parameter with the same numbers "
                        "took part instead, such as that of a clone"));
  const Variable hidden = model.first(x);
  CHECK_THROWS_WITH(
      assert_connected(sum(linear(hidden, model.second.weight.value(), model.second.bias)), model),
      "assert_connected: the loss does not depend on 1 of 4 parameters: second.weight (1, 3): its value was given to "
      "linear as a constant (by detach, value() or under NoGrad). The constants that took part: (1, 3) given to "
      "linear, "
      "(4, 2) given to linear");
  const Variable loss = sum(model.second(hidden));
  loss.backward();
  CHECK_THROWS_WITH(assert_connected(loss, model),
                    "assert_connected: what the loss was made from is gone (call it before backward)");
  CHECK_THROWS_AS(assert_connected(Variable(), model), ValueError);
}

}  // namespace regard::nn
