// Training that is interrupted, saved, loaded into new objects and continued ends with the same bits.
#include "autograd/all.h"
#include "nn/save/save.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

namespace regard::nn {

namespace {

// y = tanh(x·A)·B, with noise on the hidden layer while it trains.
struct Network {
  explicit Network(Generator init) : a(parameter(normal({3, 8}, init))), b(parameter(normal({8, 1}, init))) {}
  Variable a, b;
  Generator noise{3};
  void visit(Visitor& v) {
    v("a", a);
    v("b", b);
    v("noise", noise);
  }
  Variable operator()(const Variable& x) {
    const Variable hidden = tanh(matmul(x, a));
    return matmul(hidden * uniform(hidden.shape(), noise, 0.5, 1.5), b);
  }
};

// v ← 0.9·v + g,  w ← w − rate·v, with a rate that falls with the steps.
struct Momentum {
  explicit Momentum(std::vector<Variable> parameters) : weights(std::move(parameters)) {
    for (const Variable& w : weights) velocity.push_back(zeros_like(w.value()));
  }
  std::vector<Variable> weights;
  std::vector<Tensor> velocity;
  std::int64_t steps = 0;
  void visit(Visitor& v) {
    v("velocity", velocity);
    v("steps", steps);
  }
  void step() {
    const double rate = 0.1 / static_cast<double>(++steps);
    for (std::size_t i = 0; i < weights.size(); ++i) {
      velocity[i] = add(multiply(velocity[i], 0.9), weights[i].gradient().value());
      assign(weights[i], subtract(weights[i].value(), multiply(velocity[i], rate)));
      weights[i].clear_gradient();
    }
  }
};

struct Trainee {
  explicit Trainee(std::uint64_t seed) : network(Generator(seed)), optimizer(parameters(network)) {}
  Network network;
  Momentum optimizer;
  Generator batches{9};
  std::int64_t epoch = 0;
  std::vector<double> losses;

  void run(int epochs) {
    for (; epochs > 0; --epochs, ++epoch) {
      const Tensor x = normal({16, 3}, batches);
      const Variable loss = mean(square(network(x) - sum(x, {1}, KeepDim::yes)));
      loss.backward();
      optimizer.step();
      losses.push_back(loss.item());
    }
  }
  std::vector<NamedMember> parts() {
    return {{"model", network}, {"optimizer", optimizer}, {"batches", batches}, {"epoch", epoch}};
  }
};

bool same_end(Trainee& a, Trainee& b) {
  return a.losses.back() == b.losses.back() && identical(a.network.a.value(), b.network.a.value()) &&
         identical(a.network.b.value(), b.network.b.value());
}

}  // namespace

TEST_CASE("checkpoint: resumed training ends with the same bits as training that never stopped") {
  const Folder folder;
  Trainee whole(1), first(1), second(2);
  whole.run(20);
  first.run(8);
  save(first.parts(), folder / "checkpoint");
  load(second.parts(), folder / "checkpoint");
  CHECK(second.epoch == 8);
  CHECK(second.optimizer.steps == 8);
  second.run(12);
  CHECK(same_end(whole, second));
}

TEST_CASE("checkpoint: every part of it matters") {
  const Folder folder;
  Trainee whole(1), first(1);
  whole.run(20);
  first.run(8);
  save(first.parts(), folder / "checkpoint");
  for (const std::size_t left_out : {0, 1, 2}) {
    CAPTURE(left_out);
    Trainee second(2);
    std::vector<NamedMember> parts = second.parts();
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(left_out));
    CHECK_FALSE(load(parts, folder / "checkpoint", {.strict = false}).empty());
    second.run(12);
    CHECK_FALSE(same_end(whole, second));
  }
}

TEST_CASE("checkpoint: parts have their own names, and any of them can be taken alone") {
  const Folder folder;
  Trainee training(1);
  training.run(3);
  save(training.parts(), folder / "checkpoint");
  Network network{Generator(5)};
  const Skipped skipped = load({{"model", network}}, folder / "checkpoint", {.strict = false});
  CHECK(skipped.missing.empty());
  CHECK(skipped.unexpected == std::vector<std::string>{"batches", "epoch", "optimizer.steps", "optimizer.velocity.0",
                                                       "optimizer.velocity.1"});
  CHECK(identical(network.a.value(), training.network.a.value()));
}

TEST_CASE("checkpoint: text about it stands beside the numbers, and changes none of them") {
  const Folder folder;
  Trainee training(1), read(2);
  const std::map<std::string, std::string> about{{"program", "a test"}, {"seed", "1"}};
  save(training.parts(), folder / "checkpoint", about);
  CHECK(load_safetensors(folder / "checkpoint").metadata == about);
  load(read.parts(), folder / "checkpoint");
  CHECK(identical(read.network.a.value(), training.network.a.value()));
  save(training.parts(), folder / "without");
  CHECK(load_safetensors(folder / "without").metadata.empty());
}

}  // namespace regard::nn
