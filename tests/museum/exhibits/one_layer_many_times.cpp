#include "nn/layers/linear.h"
#include "tests/museum/tools.h"

namespace regard::museum::one_layer_many_times {

constexpr nn::LinearOptions options{.in = 8, .out = 8};

struct Stack {
  std::vector<nn::Linear> layers;
  void visit(nn::Visitor& v) { v("layers", layers); }
};

// museum: wrong
Stack stack_wrong(std::size_t count, Generator& generator) {
  return {std::vector<nn::Linear>(count, nn::Linear(options, generator))};
}
// museum: /wrong

// museum: right
Stack stack_of(std::size_t count, Generator& generator) {
  Stack stack;
  for (std::size_t i = 0; i < count; ++i) stack.layers.push_back(nn::Linear(options, generator));
  return stack;
}
// museum: /right

const Hung on_the_wall({
    .name = "one_layer_many_times",
    .title = "All layers are the same layer",
    .looks =
        "A deep model is no better than a shallow one. It trains, its file is small, and changing one layer changes "
        "all of them.",
    .common =
        "In Python it is `[layer] * n`: pytorch-vq-vae issue 2, Liger-Kernel pull request 269, DAB-DETR pull request "
        "17. In this library a module is a value, but its parameters are handles: a copy shares them.",
    .lesson =
        "Count the parameters before training, by hand and by `nn::parameter_count`, which counts a shared one once. "
        "`nn::summary` shows them as a tree. Each layer must be made by itself; `nn::clone` makes parameters that "
        "are new, but start alike.",
    .look =
        [](bool wrong) {
          const auto count = [wrong](std::size_t layers) {
            Generator generator(1);
            Stack stack = (wrong ? stack_wrong : stack_of)(layers, generator);
            return nn::parameter_count(stack);
          };
          return by_law("four layers have four times the parameters of one", count(4) == 4 * count(1),
                        fmt::format("one layer has {} parameters, four have {}", count(1), count(4)));
        },
});

}  // namespace regard::museum::one_layer_many_times
