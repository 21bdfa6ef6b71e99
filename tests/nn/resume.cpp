// Training that goes on from a stored state is, bit for bit, training that never stopped.
#include "nn/all.h"
#include "tests/catch.h"

#include <map>

namespace regard::nn {

namespace {

// All that a module or an optimiser lists, by name.
struct State {
  std::map<std::string, Tensor> tensors;
  std::map<std::string, std::int64_t> counters;
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> generators;
};

struct Keeper : Visitor {
  State state;
  void on_parameter(const std::string& path, Variable& x) override { state.tensors[path] = x.value(); }
  void on_buffer(const std::string& path, Tensor& x) override { state.tensors[path] = x; }
  void on_counter(const std::string& path, std::int64_t& x) override { state.counters[path] = x; }
  void on_generator(const std::string& path, Generator& g) override {
    state.generators[path] = {g.seed(), g.position()};
  }
};

struct Restorer : Visitor {
  explicit Restorer(const State& kept) : state(kept) {}
  const State& state;
  void on_parameter(const std::string& path, Variable& x) override { assign(x, state.tensors.at(path)); }
  void on_buffer(const std::string& path, Tensor& x) override { x = state.tensors.at(path); }
  void on_counter(const std::string& path, std::int64_t& x) override { x = state.counters.at(path); }
  void on_generator(const std::string& path, Generator& g) override {
    g = Generator(state.generators.at(path).first, state.generators.at(path).second);
  }
};

// A model, its optimiser and the order of its data: everything a training consists of, as one module.
template <class Optimizer>
struct Course {
  Generator generator{1};
  Sequential<Linear, Tanh, Dropout, Linear> model{Linear({.in = 3, .out = 8}, generator), Tanh{},
                                                  Dropout(0.2, generator), Linear({.in = 8, .out = 1}, generator)};
  Optimizer optimizer;
  optim::WarmupCosine schedule{.peak = 0.05, .warmup = 3, .total = 30};

  template <class Options>
  explicit Course(const Options& options) : optimizer(parameters(model), options) {}

  void visit(Visitor& v) {
    v("model", model);
    v("optimizer", optimizer);
    v("generator", generator);
  }

  void run(int epochs) {
    Generator drawing(2);
    const std::array data{normal({10, 3}, drawing), normal({10, 1}, drawing)};
    for (int epoch = 0; epoch < epochs; ++epoch)
      for (const auto& [x, y] : batches(data, {.size = 4}, generator)) {
        optimizer.zero_grad();
        mse_loss(model(Variable(x)), y).backward();
        optim::clip_norm(parameters(model), 0.5);
        optimizer.set_learning_rate(schedule(optimizer.steps()));
        optimizer.step();
      }
  }

  State state() {
    Keeper keeper;
    visit(keeper);
    return keeper.state;
  }
};

template <class Optimizer, class Options>
void check_resume(const Options& options) {
  Course<Optimizer> whole(options), first(options), second(options);
  whole.run(5);
  first.run(2);
  const State kept = first.state();
  first.run(1);  // what happens after the state was taken does not change it
  Restorer restorer(kept);
  second.visit(restorer);
  second.run(3);
  const State expected = whole.state(), found = second.state();
  CHECK(found.counters == expected.counters);
  CHECK(found.generators == expected.generators);
  REQUIRE(found.tensors.size() == expected.tensors.size());
  for (const auto& [name, tensor] : expected.tensors) {
    INFO(name);
    CHECK(identical(found.tensors.at(name), tensor));
    CHECK_FALSE(identical(kept.tensors.at(name), tensor));
  }
}

}  // namespace

TEST_CASE("resume: training goes on bit for bit, with every optimiser") {
  check_resume<optim::SGD>(optim::SGDOptions{});
  check_resume<optim::SGD>(optim::SGDOptions{.momentum = 0.9, .weight_decay = 0.01});
  check_resume<optim::Adam>(optim::AdamOptions{});
  check_resume<optim::AdamW>(optim::AdamOptions{});
  check_resume<optim::RMSprop>(optim::RMSpropOptions{.momentum = 0.5});
}

}  // namespace regard::nn
