// Losses are PyTorch's: values and gradients.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

using Loss = Variable (*)(const Variable& prediction, const Variable& target, nn::Reduction);

nn::Reduction reduction(const NnCase& test) { return static_cast<nn::Reduction>(test.integer("reduction")); }

std::function<void(const NnCase&)> checker(Loss loss) {
  return [=](const NnCase& test) {
    test.check({}, [&](const Variables& in) {
      return Variables{{"loss", loss(in.at("prediction"), in.at("target"), reduction(test))}};
    });
  };
}

void check_cross_entropy(const NnCase& test) {
  nn::CrossEntropyLossOptions options{
      .label_smoothing = test.number("smoothing"), .ignore = test.integer("ignore"), .reduction = reduction(test)};
  if (test.record().inputs.contains("weights")) options.weight = to(test.input("weights"), test.dtype());
  test.check({}, [&](const Variables& in) {
    return Variables{{"loss", nn::cross_entropy_loss(in.at("logits"), in.at("classes").value(), options)}};
  });
}

}  // namespace

TEST_CASE("losses are PyTorch's") {
  check_family("losses",
               {{"mse", checker(nn::mse_loss)}, {"l1", checker(nn::l1_loss)}, {"cross entropy", check_cross_entropy}});
}

}  // namespace regard::reference
