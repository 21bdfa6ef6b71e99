#include "autograd/all.h"
#include "tests/catch.h"

using namespace regard;

namespace {

// One step of a small network: everything that training does with memory.
void train(Variable& w, Variable& b, const Variable& x, const Variable& target) {
  const Variable hidden = tanh(matmul(x, w) + b);
  const Variable loss = mean(square(softmax(hidden, -1) - target));
  w.clear_gradient();
  b.clear_gradient();
  loss.backward();
  assign(w, (w - 0.1 * w.gradient()).value());
  assign(b, (b - 0.1 * b.gradient()).value());
}

}  // namespace

TEST_CASE("after a thousand training steps as many nodes and bytes are alive as before") {
  Generator generator(3);
  Variable w = parameter(normal({4, 5}, generator)), b = parameter(zeros({5}));
  const Variable x(normal({6, 4}, generator)), target(uniform({6, 5}, generator));
  train(w, b, x, target);  // the gradients exist from the first step on
  const auto nodes = live_nodes();
  const auto start = buffer_statistics();
  for (int step = 0; step < 1000; ++step) train(w, b, x, target);
  CHECK(live_nodes() == nodes);
  CHECK(buffer_statistics().live_bytes == start.live_bytes);
  CHECK(buffer_statistics().live_blocks == start.live_blocks);
}

TEST_CASE("a graph that throws on the way back leaves nothing behind") {
  const auto nodes = live_nodes();
  const auto start = buffer_statistics();
  {
    Variable x = parameter(tensor({1, 2}, DType::f64));
    const Variable y = sum(square(exp(x)));
    x.on_gradient([](const Variable&) -> Variable { throw ValueError("stop"); });
    CHECK_THROWS_WITH(y.backward(), "stop");
  }
  CHECK(live_nodes() == nodes);
  CHECK(buffer_statistics().live_blocks == start.live_blocks);
}

TEST_CASE("backward frees values as it goes, not at its end") {
  const auto start = buffer_statistics().live_bytes;
  Variable x = parameter(ones({1 << 16}));
  Variable y = x;
  for (int i = 0; i < 20; ++i) y = tanh(y);
  const auto recorded = buffer_statistics().live_bytes - start;
  std::size_t at_the_end = 0;
  x.on_gradient([&](const Variable&) {
    at_the_end = buffer_statistics().live_bytes - start;
    return Variable();
  });
  const Variable loss = sum(y);
  y = Variable();
  loss.backward();
  CHECK(at_the_end < recorded / 4);
}
