// Layers are PyTorch's: values and gradients.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

bool has_bias(const NnCase& test) { return test.record().parameters.count("bias") > 0; }

nn::Extent2d extent(const NnCase& test, const std::string& name) {
  return {test.integer(name + " height"), test.integer(name + " width")};
}

// A layer that takes x and gives y.
template <nn::Module M>
void check_layer(const NnCase& test, M layer) {
  test.check_module(layer, [&](const Variables& in) { return Variables{{"y", layer(in.at("x"))}}; });
}

void check_linear(const NnCase& test) {
  Generator generator(0);
  const Shape weight = test.parameter("weight").shape();
  check_layer(
      test, nn::Linear({.in = weight[1], .out = weight[0], .bias = has_bias(test), .dtype = test.dtype()}, generator));
}

void check_embedding(const NnCase& test) {
  Generator generator(0);
  const Shape weight = test.parameter("weight").shape();
  nn::Embedding layer({.count = weight[0], .size = weight[1], .dtype = test.dtype()}, generator);
  test.check_module(layer, [&](const Variables& in) { return Variables{{"y", layer(in.at("indexes").value())}}; });
}

void check_layer_norm(const NnCase& test) {
  check_layer(test, nn::LayerNorm({.size = test.input("x").size(-1),
                                   .epsilon = test.number("epsilon"),
                                   .bias = has_bias(test),
                                   .dtype = test.dtype()}));
}

void check_rms_norm(const NnCase& test) {
  check_layer(
      test, nn::RMSNorm({.size = test.input("x").size(-1), .epsilon = test.number("epsilon"), .dtype = test.dtype()}));
}

void check_swiglu(const NnCase& test) {
  Generator generator(0);
  check_layer(test, nn::FeedForward({.size = test.input("x").size(-1),
                                     .hidden = test.integer("hidden"),
                                     .kind = nn::FeedForwardKind::swiglu,
                                     .bias = test.integer("bias") != 0,
                                     .dtype = test.dtype()},
                                    generator));
}

void check_activation(const NnCase& test) {
  const std::map<std::string, std::function<void()>> kinds{
      {"relu", [&] { check_layer(test, nn::ReLU{}); }},
      {"gelu", [&] { check_layer(test, nn::GELU{}); }},
      {"gelu tanh", [&] { check_layer(test, nn::GELU{.form = GeluForm::tanh}); }},
      {"silu", [&] { check_layer(test, nn::SiLU{}); }},
      {"tanh", [&] { check_layer(test, nn::Tanh{}); }},
      {"sigmoid", [&] { check_layer(test, nn::Sigmoid{}); }},
  };
  const std::string& name = test.record().name;
  kinds.at(name.substr(name.find('/') + 1))();
}

void check_conv1d(const NnCase& test) {
  Generator generator(0);
  const Shape weight = test.parameter("weight").shape();
  check_layer(test, nn::Conv1d({.in = weight[1] * test.integer("groups"),
                                .out = weight[0],
                                .kernel = weight[2],
                                .stride = test.integer("stride"),
                                .padding = test.integer("padding"),
                                .dilation = test.integer("dilation"),
                                .groups = test.integer("groups"),
                                .bias = has_bias(test),
                                .dtype = test.dtype()},
                               generator));
}

void check_conv2d(const NnCase& test) {
  Generator generator(0);
  const Shape weight = test.parameter("weight").shape();
  check_layer(test, nn::Conv2d({.in = weight[1] * test.integer("groups"),
                                .out = weight[0],
                                .kernel = {weight[2], weight[3]},
                                .stride = extent(test, "stride"),
                                .padding = extent(test, "padding"),
                                .dilation = extent(test, "dilation"),
                                .groups = test.integer("groups"),
                                .bias = has_bias(test),
                                .dtype = test.dtype()},
                               generator));
}

void check_max_pool(const NnCase& test) {
  check_layer(test, nn::MaxPool2d({.kernel = extent(test, "kernel"),
                                   .stride = extent(test, "stride"),
                                   .padding = extent(test, "padding")}));
}

}  // namespace

TEST_CASE("layers are PyTorch's") {
  check_family("layers", {{"linear", check_linear},
                          {"embedding", check_embedding},
                          {"layer norm", check_layer_norm},
                          {"rms norm", check_rms_norm},
                          {"swiglu", check_swiglu},
                          {"activation", check_activation},
                          {"conv1d", check_conv1d},
                          {"conv2d", check_conv2d},
                          {"max pool", check_max_pool}});
}

}  // namespace regard::reference
