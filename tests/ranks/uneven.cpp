// A training for the tests of ranks: a small GPT with dropout, and batches of 1 to 29 rows, so that some ranks often
// have nothing to do. Its gradients are 1.6 MB, so they are exchanged in two buckets. It prints a hash of all that it
// has learned.
#include "examples/published/published.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/trainer.h"
#include "nn/distributed/agree.h"
#include "nn/optim/adam.h"
#include "tensor/random/random.h"
#include "tensor/view.h"

#include <chrono>
#include <thread>

using namespace regard;

int main(int argc, char** argv) {
  Trainer trainer("uneven", "A training for the tests of ranks",
                  {.epochs = 100, .quick_epochs = 10, .learning_rate = 3e-3});
  int pause = 0;
  trainer.options().option("--pause", pause,
                           "Milliseconds that a step lasts longer, so that there is time to interrupt", 0, 1000);
  return trainer.main(argc, argv, [&] {
    Generator start(trainer.seed());
    nn::Gpt model =
        nn::make_gpt({.model = 128, .layers = 2, .heads = 4, .vocabulary = 17, .longest = 12, .dropout = 0.1}, start);
    optim::AdamW optimizer(model, {.weight_decay = 0.1});
    Generator data(trainer.seed() + 1);
    trainer.train({{"model", model}, {"optimizer", optimizer}, {"data", data}}, [&](std::int64_t step) {
      const Tensor rows = randint({1 + step * 11 % 29, 13}, data, 0, 17);
      std::this_thread::sleep_for(std::chrono::milliseconds(pause));
      return descend(model, optimizer, trainer.learning_rate(), rows, [&](const Part& part) {
        return cross_entropy_share(model(slice(part(rows), 1, 0, 12)), slice(part(rows), 1, 1));
      });
    });
    trainer.say(fmt::format("model {} optimizer {}", distributed::hash_of(model), distributed::hash_of(optimizer)));
  });
}
