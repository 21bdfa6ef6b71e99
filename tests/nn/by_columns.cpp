// Matrices stored by columns: in another order in memory, and nothing else.
#include "examples/published/by_columns.h"

#include "examples/published/from_checkpoint.h"
#include "examples/published/llama2c.h"
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/nn/text_data.h"

namespace regard::nn {
namespace {

// Most sizes do not fill a vector.
template <class Check>
void for_both_models(const Check& check) {
  for (const bool tied : {true, false}) {
    Generator g(1);
    Llama llama = make_llama({.model = 24,
                              .hidden = 70,
                              .layers = 2,
                              .heads = 3,
                              .key_value_heads = 1,
                              .vocabulary = 37,
                              .longest = 0,
                              .layout = RotaryLayout::halves,
                              .tied = tied},
                             g);
    INFO((tied ? "tied" : "with an output matrix of its own"));
    check(llama);
    Gpt gpt = make_gpt({.model = 24, .layers = 2, .heads = 3, .vocabulary = 37, .longest = 40, .tied = tied}, g);
    check(gpt);
  }
}

Tensor tokens(const Shape& shape) {
  Generator g(2);
  return randint(shape, g, 0, 37);
}

// A step of Adam, and what the model computes after it.
template <class M>
Tensor after_a_step(M& model) {
  optim::Adam optimizer(model, {.learning_rate = 0.1});
  const Tensor text = tokens({3, 9});
  cross_entropy_loss(slice(model(text), 1, 0, -1), slice(text, 1, 1)).backward();
  optimizer.step();
  return model(text).value();
}

}  // namespace

TEST_CASE("by columns: matrices lie so, and no value changes") {
  for_both_models([](auto& model) {
    auto columns = clone(model);
    store_by_columns(columns);
    const auto before = named_parameters(model), after = named_parameters(columns);
    REQUIRE(before.size() == after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
      INFO(before[i].name);
      const Tensor& x = after[i].parameter.value();
      CHECK(identical(x, before[i].parameter.value()));
      if (x.rank() == 2) CHECK(x.strides() == Strides{1, x.size(0)});
    }
  });
}

TEST_CASE("by columns: a model computes the same bits, for one token, for few and for many") {
  for_both_models([](auto& model) {
    auto columns = clone(model);
    store_by_columns(columns);
    for (const Shape& shape : {Shape{1, 1}, {1, 2}, {3, 1}, {1, 33}, {4, 20}}) {
      INFO(fmt::format("tokens {}", shape));
      CHECK(identical(columns(tokens(shape)).value(), model(tokens(shape)).value()));
    }
  });
}

TEST_CASE("by columns: training computes the same bits, too") {
  for_both_models([](auto& model) {
    auto columns = clone(model);
    store_by_columns(columns);
    CHECK(identical(after_a_step(columns), after_a_step(model)));
  });
}

TEST_CASE("by columns: a model with published weights is stored so") {
  Llama llama = llama_from(load_llama2c(example_data / "stories260K.bin"));
  for (const auto& [name, parameter] : named_parameters(llama))
    if (parameter.rank() == 2) CHECK(parameter.value().strides()[0] == 1);
}

}  // namespace regard::nn
