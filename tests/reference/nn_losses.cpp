// Losses are PyTorch's: values and gradients.
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/reference/nn_record.h"

namespace regard::reference {
namespace {

using Loss = Variable (*)(const Variable& prediction, const Variable& target);

std::function<void(const NnCase&)> checker(Loss loss, const std::string& prediction) {
  return [=](const NnCase& test) {
    test.check({}, [&](const Variables& in) { return Variables{{"loss", loss(in.at(prediction), in.at("target"))}}; });
  };
}

void check_cross_entropy(const NnCase& test) {
  test.check({}, [&](const Variables& in) {
    return Variables{{"loss", nn::cross_entropy_loss(
                                  in.at("logits"), in.at("classes").value(),
                                  {.label_smoothing = test.number("smoothing"), .ignore = test.integer("ignore")})}};
  });
}

}  // namespace

TEST_CASE("losses are PyTorch's") {
  check_family("losses", {{"mse", checker(nn::mse_loss, "prediction")},
                          {"l1", checker(nn::l1_loss, "prediction")},
                          {"binary", checker(nn::binary_cross_entropy_loss, "logits")},
                          {"cross entropy", check_cross_entropy}});
}

}  // namespace regard::reference
