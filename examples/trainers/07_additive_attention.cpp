// Additive attention: a small network looks at each pair of a query and a key, so the two may have different sizes.
// First an example whose answer is known, then a task: each query must fetch the value that is stored under its key.
#include "examples/trainers/recall.h"

using namespace regard;
using namespace regard::nn;

int main(int argc, char** argv) {
  Trainer trainer("additive_attention", "Additive attention: queries and keys of different sizes",
                  {.epochs = 2000, .quick_epochs = 300, .learning_rate = 1e-2});
  return trainer.main(argc, argv, [&] {
    Generator generator(trainer.seed());
    const recall::WorkedExample example;
    Attention untrained(AdditiveScore({.query_size = 20, .key_size = 2, .hidden = 8}, generator), {.dropout = 0.1});
    eval(untrained);
    recall::show_worked_example(trainer,
                                untrained(normal({2, 1, 20}, generator), example.keys, example.values, example.mask));

    const recall::Sizes sizes{.key_size = 4, .query_size = 8};
    Attention attention(
        AdditiveScore({.query_size = sizes.query_size, .key_size = sizes.key_size, .hidden = 32}, generator));
    recall::learn(trainer, attention, sizes, generator);
  });
}
