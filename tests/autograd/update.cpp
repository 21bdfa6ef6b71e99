// The ways to change a leaf: its value where it stands, and its gradient.
#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/tensor/error_case.h"

namespace regard {

TEST_CASE("update: hands the value over without a second holder") {
  Variable w = parameter(tensor({1, 2}));
  update(w, [](Tensor& value) { CHECK(value.owns_buffer()); });
  const Tensor held = w.value();
  update(w, [](Tensor& value) {
    CHECK_FALSE(value.owns_buffer());
    value = value + 1;
  });
  CHECK(identical(w.value(), tensor({2, 3})));
  CHECK(identical(held, tensor({1, 2})));
}

TEST_CASE("update: a graph that was recorded before refuses to run backward") {
  Variable w = parameter(tensor({1, 2}));
  const Variable loss = sum(w * w);
  update(w, [](Tensor&) {});
  CHECK_THROWS_AS(loss.backward(), ValueError);
  CHECK_NOTHROW(sum(w * w).backward());
  const Variable before = sum(w * w);
  assign(w, tensor({3, 4}));
  update(w, [](Tensor&) {});  // one after the other, they do not cancel
  CHECK_THROWS_AS(before.backward(), ValueError);
}

// Weights ½, ¼, ¼ and gradients 216, −36, 180, whose mean is 144: each score gets its weight times what its gradient
// has beyond the mean. With weights halved after the fact the mean is 72, and the results no longer add up to 0.
TEST_CASE("update: what a rule saved must stay as it was: halved weights spoil the gradient of softmax, in silence") {
  const auto slopes = [](double factor) {
    const Variable scores = parameter(log(tensor({1, 0.5, 0.5}, DType::f64))), weights = softmax(scores, -1);
    Tensor same_elements = weights.value();
    for (int i = 0; i < 3; ++i) same_elements.writable<double>()[i] *= factor;  // as nothing in the library does
    weights.backward({.gradient = tensor({216, -36, 180}, DType::f64)});
    return scores.gradient().value();
  };
  CHECK(allclose(slopes(1), tensor({36, -45, 9}, DType::f64), 1e-13));
  CHECK(allclose(slopes(0.5), tensor({36, -13.5, 13.5}, DType::f64), 1e-13));
}

TEST_CASE("set_gradient: replaces, and the next backward pass adds to it") {
  Variable w = parameter(tensor({1, 2}));
  sum(w).backward();
  set_gradient(w, tensor({5, 6}));
  sum(w).backward();
  CHECK(identical(w.gradient().value(), tensor({6, 7})));
}

TEST_CASE("errors: changes that do not fit a leaf") {
  Variable w = parameter(zeros({2})), y = 2.0 * w, none;
  check_errors({
      {[&] { update(y, [](Tensor&) {}); }, "ValueError",
       "update: the Variable is the result of an operation with a plain number, such as x * 2 or x + 2, not a leaf"},
      {[&] { update(none, [](Tensor&) {}); }, "ValueError", "value: this Variable is undefined"},
      {[&] {
         Variable x = parameter(zeros({2}));
         update(x, [](Tensor& value) { value = zeros({3}, DType::f64); });
       },
       "ShapeError", "update: the change made f64 (3) of a leaf that was f32 (2)"},
      {[&] {
         Variable x = parameter(zeros({}));
         update(x, [](Tensor& value) { value = Tensor(); });
       },
       "ValueError", "update: the change left a leaf f32 () without a value"},
      {[&] { set_gradient(y, zeros({2})); }, "ValueError",
       "set_gradient: the Variable is the result of an operation with a plain number, such as x * 2 or x + 2, not a "
       "leaf"},
      {[&] { set_gradient(w, zeros({3})); }, "ShapeError",
       "set_gradient: a gradient of shape (3) does not fit a leaf of shape (2)"},
      {[&] { set_gradient(w, zeros({2}, DType::f64)); }, "DTypeError",
       "set_gradient: f32 (2) and f64 (2) do not mix (convert one of them with to(x, DType::f32))"},
  });
}

}  // namespace regard
