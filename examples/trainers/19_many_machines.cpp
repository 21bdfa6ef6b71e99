// Many machines: what does a step of training cost on P of them? A small GPT is trained on 1, 2, … ranks of this
// machine, its steps and the messages between ranks are timed, and what a formula makes of these numbers is compared
// with the steps themselves. Then the formula looks further, to 1024 machines on networks that are not here.
//
//   ./examples/run many_machines --ranks 4 --threads 1
#include "examples/published/published.h"
#include "examples/trainers/descend.h"
#include "examples/trainers/first_ranks.h"
#include "examples/trainers/step_cost.h"
#include "examples/trainers/timing.h"
#include "examples/trainers/trainer.h"
#include "nn/distributed/agree.h"
#include "nn/losses.h"
#include "nn/optim/adam.h"
#include "tensor/random/random.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <thread>

using namespace regard;
using namespace regard::distributed;

namespace {

constexpr int most_machines = 1024;
constexpr std::int64_t micro_batches = 8, rows_of_one = 4, vocabulary = 64, positions = 64;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// A step on the first `size` ranks, and the parts of it that are timed.
struct Measured {
  int size;
  std::vector<double> steps = {}, updates = {}, micro_batches = {};  // seconds
  double sent = 0;                                                   // bytes of a step, by rank 0
};

class Cluster {
 public:
  explicit Cluster(Trainer& trainer)
      : all_(together().ranks),
        generator_(trainer.seed()),
        model_(make(generator_)),
        optimizer_(model_, {.learning_rate = trainer.learning_rate()}) {
    if (all_.size() > micro_batches)
      fail<ValueError>("a step has {} micro-batches here, so --ranks can be {} at most", micro_batches, micro_batches);
    if (trainer.epochs() < all_.size())
      fail<ValueError>("--epochs: for each number of ranks at least one is needed, so at least {}", all_.size());
    for (int size = 1; size <= all_.size(); ++size) sizes_.push_back({size});
  }

  void learn(Trainer& trainer) {
    const std::int64_t steps_each = std::max<std::int64_t>(1, trainer.epochs() / all_.size());
    trainer.train({{"model", model_}, {"optimizer", optimizer_}, {"data", generator_}}, [&](std::int64_t step) {
      const auto place = static_cast<std::size_t>(step / steps_each);
      return learn_on(sizes_[std::min(place, sizes_.size() - 1)]);
    });
  }

  // Those that have been tried: all, unless the training was stopped, or goes on from a checkpoint.
  std::vector<Measured> sizes() const {
    std::vector<Measured> tried;
    for (const Measured& one : sizes_)
      if (!one.steps.empty()) tried.push_back(one);
    return tried;
  }
  std::int64_t numbers() { return nn::parameter_count(model_); }

  // Messages go back and forth between ranks 0 and 1: α from small ones, β from what large ones take longer.
  Network this_machine() {
    Network here{"this machine", 0, 1e12};
    if (all_.size() == 1) return here;
    std::vector<std::byte> bytes(4 << 20);
    here.latency = there_and_back({bytes.data(), 8}, 200) / 2;
    here.bandwidth = static_cast<double>(bytes.size()) / std::max(1e-9, there_and_back(bytes, 20) / 2 - here.latency);
    broadcast(all_, std::as_writable_bytes(std::span(&here.latency, 1)));
    broadcast(all_, std::as_writable_bytes(std::span(&here.bandwidth, 1)));
    return here;
  }

 private:
  static nn::Gpt make(Generator& g) {
    return nn::make_gpt({.model = 128, .layers = 4, .heads = 4, .vocabulary = vocabulary, .longest = positions}, g);
  }

  // Those that do not take part wait for the others: the model stays the same everywhere.
  double learn_on(Measured& measured) {
    const Tensor rows = randint({micro_batches * rows_of_one, positions + 1}, generator_, 0, vocabulary);
    double loss = 0;
    if (all_.rank() < measured.size) loss = step(measured, rows);
    if (measured.size < all_.size()) {
      broadcast(all_, model_);
      broadcast(all_, optimizer_);
      broadcast(all_, std::as_writable_bytes(std::span(&loss, 1)));
    }
    return loss;
  }

  double step(Measured& measured, const Tensor& rows) {
    FirstRanks ranks(all_, measured.size);
    GlobalGradients gradients(model_, ranks, {.micro_batches = micro_batches});
    any(ranks, false);  // all begin at the same time
    const auto loss_of = [&](const Part& part) {
      return cross_entropy_share(model_(slice(part(rows), 1, 0, positions)), slice(part(rows), 1, 1));
    };
    look_if_wanted(model_, loss_of);
    const StepWatch watch(model_);
    const std::uint64_t sent_before = ranks.sent_bytes();
    const auto start = std::chrono::steady_clock::now();
    auto begun = start;
    int done = 0;
    const double loss = gradients.reduce([&](std::int64_t m) {
      if (done++ > 0) measured.micro_batches.push_back(seconds_since(begun));
      begun = std::chrono::steady_clock::now();
      return loss_of(Part(m, micro_batches));
    });
    const double reducing = seconds_since(start);
    watch.before_step();
    const auto reduced = std::chrono::steady_clock::now();
    optimizer_.step();
    measured.updates.push_back(seconds_since(reduced));
    measured.steps.push_back(reducing + measured.updates.back());
    watch.after_step();
    measured.sent = static_cast<double>(ranks.sent_bytes() - sent_before);
    return loss;
  }

  double there_and_back(std::span<std::byte> bytes, int times) {
    std::vector<double> seconds;
    for (int i = 0; i < times && all_.rank() < 2; ++i) {
      const auto start = std::chrono::steady_clock::now();
      std::vector<Communicator::Message> messages;
      const auto pass = [&](bool sends) {
        messages.push_back(sends ? all_.send(1 - all_.rank(), 1, bytes) : all_.receive(1 - all_.rank(), 1, bytes));
        all_.wait(messages);
      };
      pass(all_.first());
      pass(!all_.first());
      seconds.push_back(seconds_since(start));
    }
    return median(seconds);
  }

  Communicator& all_;
  Generator generator_;
  nn::Gpt model_;
  optim::Adam optimizer_;
  std::vector<Measured> sizes_;
};

// The formula beside what was measured.
plot::Figure steps_here(const StepWork& work, const Network& here, const std::vector<Measured>& sizes,
                        double ranks_a_core) {
  plot::Figure figure;
  std::vector<double> places, predicted, measured;
  std::vector<std::string> words;
  for (const Measured& one : sizes) {
    places.push_back(static_cast<double>(places.size()));
    words.push_back(fmt::format("{}", one.size));
    predicted.push_back(1e3 * step_seconds(work, here, one.size, ranks_a_core * one.size));
    measured.push_back(1e3 * median(one.steps));
  }
  figure.axes()
      .line(places, predicted, {.label = "the formula", .color = plot::series_color(0)})
      .scatter(places, measured, {.label = "measured", .color = plot::ink, .size = 5})
      .title("milliseconds of a step on this machine")
      .x_label("ranks")
      .x_tokens(words)
      .y_range(0, 1.1 * std::max(std::ranges::max(predicted), std::ranges::max(measured)));
  return figure;
}

// The formula for machines and networks that are not here: which part of P times the speed is left with P machines.
plot::Figure efficiency_elsewhere(StepWork work) {
  plot::Figure figure({.width = 620, .height = 340});
  work.micro_batches = most_machines;
  plot::Axes& axes = figure.axes();
  std::vector<double> machines;
  for (int p = 1; p <= most_machines; p *= 2) machines.push_back(p);
  for (const Network& network : common_networks()) {
    std::vector<double> share;
    for (const double p : machines)
      share.push_back(100 * step_seconds(work, network, 1) / (p * step_seconds(work, network, static_cast<int>(p))));
    axes.line(machines, share, {.label = network.name, .width = 2});
  }
  axes.title("what is left of P times the speed").y_label("%").x_label("machines P").x_logarithmic().y_range(0, 104);
  return figure;
}

void run(Trainer& trainer) {
  Cluster cluster(trainer);
  cluster.learn(trainer);
  const Network here = cluster.this_machine();
  const std::vector<Measured> sizes = cluster.sizes();
  if (sizes.empty() || sizes.front().size != 1)
    return trainer.say("Nothing is compared: no step was made on one rank by itself in this run.");
  const Measured& one = sizes.front();
  const StepWork work{.micro_batch = median(one.micro_batches),
                      .update = median(one.updates),
                      .micro_batches = micro_batches,
                      .bytes = 4.0 * static_cast<double>(cluster.numbers()),
                      .buckets = std::ceil(4.0 * static_cast<double>(cluster.numbers()) / (1 << 20))};
  const double cores = std::max(1U, std::thread::hardware_concurrency()), ranks_a_core = thread_count() / cores;

  // Times differ from run to run: they go where progress goes, and the results stay the same for the same seed.
  if (together().ranks.first()) {
    fmt::print(stderr, "a micro-batch {:.3g} ms, an update {:.3g} ms, a message {:.3g} µs + bytes/({:.3g} GB/s)\n",
               1e3 * work.micro_batch, 1e3 * work.update, 1e6 * here.latency, here.bandwidth / 1e9);
    fmt::print(stderr, "{:>6}{:>14}{:>14}{:>20}\n", "ranks", "measured, ms", "formula, ms", "measured/formula");
    for (const Measured& size : sizes) {
      const double formula = step_seconds(work, here, size.size, ranks_a_core * size.size);
      fmt::print(stderr, "{:>6}{:>14.2f}{:>14.2f}{:>20.2f}\n", size.size, 1e3 * median(size.steps), 1e3 * formula,
                 median(size.steps) / formula);
    }
  }
  trainer.say(fmt::format("A GPT of {} parameters; {} micro-batches of {} texts in a step.", cluster.numbers(),
                          micro_batches, rows_of_one));
  for (const Measured& size : sizes)
    trainer.say(fmt::format("{:>6} ranks: rank 0 sends {:.0f} bytes in a step", size.size, size.sent));
  double worst = 0;
  constexpr double of_losses = 16;  // the sum of the losses and their count
  for (const Measured& size : sizes)
    if (std::has_single_bit(static_cast<unsigned>(size.size)) && size.size > 1)
      worst = std::max(worst, std::abs(size.sent / (2.0 * (size.size - 1) / size.size * (work.bytes + of_losses)) - 1));
  trainer.at_most("bytes sent by 2, 4, … ranks: distance from 2·(P − 1)/P", worst, 1e-4);
  if (sizes.size() > 1)
    trainer.picture(
        "steps", [&] { return steps_here(work, here, sizes, ranks_a_core); },
        "What a step costs on several ranks of this machine",
        fmt::format("1 to {} ranks. The formula knows how long a micro-batch takes on one of them, and what a message "
                    "costs.",
                    sizes.size()));
  trainer.picture(
      "elsewhere", [&] { return efficiency_elsewhere(work); }, "What the formula foresees for many machines",
      fmt::format(
          "A step of {} micro-batches, if each machine computes as fast as this one and messages cost what they "
          "cost on these networks. P machines are less than P times as fast, since messages take time, and so does "
          "the update of the weights, which each machine makes in full.",
          most_machines));
}

}  // namespace

int main(int argc, char** argv) {
  Trainer trainer("many_machines", "What a step of training costs on many machines, measured and foreseen",
                  {.epochs = 40, .quick_epochs = 6, .learning_rate = 1e-3, .unit = "step"});
  return trainer.main(argc, argv, [&] { run(trainer); });
}
