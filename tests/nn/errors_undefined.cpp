// Layers and losses that are given an undefined Variable say so in their own names.
#include "nn/all.h"
#include "tests/tensor/error_case.h"

namespace regard::nn {

TEST_CASE("errors: layers and losses that are given an undefined Variable") {
  Generator g(1);
  const Variable none, x = ones({2, 3});
  const std::vector<std::pair<std::string, std::function<void()>>> cases = {
      {"Linear", [&] { Linear({.in = 3, .out = 2}, g)(none); }},
      {"Linear", [&] { Sequential(Linear({.in = 3, .out = 2}, g), Tanh{})(none); }},
      {"LayerNorm", [&] { LayerNorm({.size = 3})(none); }},
      {"RMSNorm", [&] { RMSNorm({.size = 3})(none); }},
      {"Conv1d", [&] { Conv1d({.in = 1, .out = 1, .kernel = 1}, g)(none); }},
      {"Conv2d", [&] { Conv2d({.in = 1, .out = 1, .kernel = 1}, g)(none); }},
      {"MaxPool2d", [&] { MaxPool2d({.kernel = 2})(none); }},
      {"Dropout", [&] { Dropout(0.5, 1)(none); }},
      {"Dropout", [&] { Dropout(0, 1)(none); }},
      {"ReLU", [&] { ReLU{}(none); }},
      {"GELU", [&] { GELU{}(none); }},
      {"SiLU", [&] { SiLU{}(none); }},
      {"Tanh", [&] { Tanh{}(none); }},
      {"Sigmoid", [&] { Sigmoid{}(none); }},
      {"LearnedPositions", [&] { LearnedPositions({.count = 4, .size = 3}, g)(none); }},
      {"SinusoidalPositions", [&] { SinusoidalPositions{}(none); }},
      {"mse_loss", [&] { mse_loss(none, x); }},
      {"l1_loss", [&] { l1_loss(x, none); }},
      {"cross_entropy_loss", [&] { cross_entropy_loss(none, zeros({2}, DType::i64)); }},
  };
  for (const auto& [name, run] : cases)
    check_errors({{run, "ValueError",
                   name + ": its argument is an undefined Variable (make it with parameter(…), or from a tensor)"}});
}

}  // namespace regard::nn
