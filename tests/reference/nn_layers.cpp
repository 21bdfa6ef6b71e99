// Layers are PyTorch's: values and gradients.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

void check_linear(const NnCase& test) {
  Generator generator(0);
  const Tensor weight = test.parameter("weight");
  nn::Linear layer({.in = weight.size(1),
                    .out = weight.size(0),
                    .bias = test.record().parameters.count("bias") > 0,
                    .dtype = test.dtype()},
                   generator);
  test.check_module(layer, [&](const Variables& in) { return Variables{{"y", layer(in.at("x"))}}; });
}

}  // namespace

TEST_CASE("layers are PyTorch's") { check_family("layers", {{"linear", check_linear}}); }

}  // namespace regard::reference
