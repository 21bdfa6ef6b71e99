#include "tensor/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::temperature_multiplied {

// museum: wrong
Tensor distribution_wrong(const Tensor& logits, double temperature) { return softmax(logits * temperature, -1); }
// museum: /wrong

// museum: right
Tensor distribution(const Tensor& logits, double temperature) { return softmax(logits / temperature, -1); }
// museum: /right

const Hung on_the_wall({
    .name = "temperature_multiplied",
    .title = "Logits are multiplied by the temperature",
    .looks =
        "At temperature 1 all is well, and that is what tests use. At 0.7, which should make texts tamer, they become "
        "wilder.",
    .common =
        "Physics has an inverse temperature, and whoever has that in mind multiplies. A relative is a temperature "
        "that is applied twice: RL-Kernel issue 81, CodonTransformer pull request 20. In the first of them, too, "
        "tests at temperature 1 saw nothing.",
    .lesson = "Say what the setting should do, and test that: the colder, the likelier is the likeliest "
              "token. At temperature 1 both versions are the same, so a test there finds nothing.",
    .look =
        [](bool wrong) {
          const auto largest = [wrong](double temperature) {
            const Tensor logits = f64({2, 1, 0});
            return max(wrong ? distribution_wrong(logits, temperature) : distribution(logits, temperature)).item();
          };
          return by_law("the colder, the likelier is the likeliest token", largest(0.5) > largest(1),
                        fmt::format("the likeliest of three tokens has {:.2f} at temperature 1, and {:.2f} at 0.5",
                                    largest(1), largest(0.5)));
        },
});

}  // namespace regard::museum::temperature_multiplied
