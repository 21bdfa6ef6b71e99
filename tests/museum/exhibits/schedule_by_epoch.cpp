#include "autograd/all.h"
#include "nn/optim/schedule.h"
#include "nn/optim/sgd.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::schedule_by_epoch {

constexpr int epochs = 5, batches = 20;
constexpr optim::WarmupCosine schedule{.peak = 0.1, .warmup = 10, .total = epochs * batches};

// museum: wrong
void train_wrong(optim::Optimizer& optimizer, const std::function<void()>& step) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    optimizer.set_learning_rate(schedule(epoch));
    for (int batch = 0; batch < batches; ++batch) {
      step();
    }
  }
}
// museum: /wrong

// museum: right
void train(optim::Optimizer& optimizer, const std::function<void()>& step) {
  for (int epoch = 0; epoch < epochs; ++epoch) {
    for (int batch = 0; batch < batches; ++batch) {
      optimizer.set_learning_rate(schedule(optimizer.steps()));
      step();
    }
  }
}
// museum: /right

std::vector<double> learning_rates(bool wrong) {
  const Variable w = parameter(ones({1}));
  optim::SGD optimizer({w}, {});
  std::vector<double> rates;
  (wrong ? train_wrong : train)(optimizer, [&] {
    rates.push_back(optimizer.learning_rate());
    optimizer.step();
  });
  return rates;
}

const Hung on_the_wall({
    .name = "schedule_by_epoch",
    .title = "The schedule counts steps, and is asked once an epoch",
    .looks = "The warm-up never ends: after five epochs the schedule believes itself at step 5. The model learns, more "
             "slowly than in the paper, and the end, where the rate should be small, never comes.",
    .common =
        "Common, since some schedules are meant for epochs and others for steps, and both are called in the same "
        "way. k-diffusion issue 50 and ColossalAI issue 31 are about the confusion; in MiniGPT-4 (pull request 263) "
        "the count began anew in each epoch.",
    .lesson =
        "Print or draw the learning rate of each step before the first real training. With 100 steps in all, that "
        "of the last step must be near the end of the schedule. Here a schedule has no state and is given the "
        "number of steps, which the optimizer counts.",
    .look =
        [](bool wrong) {
          const double last = learning_rates(wrong).back();
          return by_law("at the last step the schedule is at its end", last < schedule.peak / 100,
                        fmt::format("the peak is {}, and the last step is made with {:.2g}", schedule.peak, last));
        },
    .learn = learning_rates,
    .curve = "learning rate",
});

}  // namespace regard::museum::schedule_by_epoch
