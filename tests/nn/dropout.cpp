#include "nn/layers/dropout.h"

#include "autograd/all.h"
#include "nn/layers/sequential.h"
#include "tests/catch.h"

namespace regard::nn {

TEST_CASE("Dropout: drops a share p, and scales the rest so that the mean stays") {
  Dropout dropout(0.25, 1);
  const Variable y = dropout(ones({200, 100}, DType::f64));
  const double kept = sum(greater(y, 0.0)).item() / 20000;
  CHECK(kept == Approx(0.75).margin(0.02));  // six standard deviations
  CHECK(identical(y.value(), multiply(greater(y.value(), 0), 1 / 0.75)));
}

TEST_CASE("Dropout: in eval, and for p = 0, it is the identity and draws nothing") {
  Dropout dropout(0.5, 1), never(0, 1);
  const Variable x = parameter(ones({3}));
  CHECK(never(x).same_as(x));
  eval(dropout);
  CHECK(dropout(x).same_as(x));
  CHECK(dropout.generator.position() == 0);
  train(dropout);
  dropout(x);
  CHECK(dropout.generator.position() == 1);  // four elements for one
}

TEST_CASE("Dropout: its seed and what it has drawn fix what it drops") {
  const Variable x = ones({64});
  Dropout one(0.5, 1), same(0.5, 1), other(0.5, 2);
  const Tensor first = one(x).value(), second = one(x).value();
  CHECK_FALSE(identical(first, second));
  CHECK(identical(same(x).value(), first));
  CHECK_FALSE(identical(other(x).value(), first));
  Dropout continued(0.5, 99);  // a stream is stored as seed and position
  continued.generator = Generator(one.generator.seed(), 16);
  CHECK(identical(continued(x).value(), second));
  Generator seeds(1);
  Dropout a(0.5, seeds), b(0.5, seeds);
  CHECK(a.generator.seed() != b.generator.seed());
}

TEST_CASE("Dropout: gradients go where values went, and views and empty tensors are inputs like others") {
  Dropout dropout(0.5, 1), same(0.5, 1), again(0.5, 1);
  const Variable x = parameter(ones({8, 6}));
  const Variable y = dropout(x);
  sum(y).backward();
  CHECK(identical(x.gradient().value(), y.value()));
  CHECK(identical(same(transpose(ones({6, 8}))).value(), y.value()));
  CHECK(identical(again(expand(ones({1}), {8, 6})).value(), y.value()));
  CHECK(dropout(zeros({0, 3})).shape() == Shape{0, 3});
}

}  // namespace regard::nn
