#include "examples/trainers/recall.h"

namespace regard::recall {

Task::Task(const Sizes& sizes, Generator& generator)
    : sizes_(sizes),
      key_codes_(normal({sizes.pairs, sizes.key_size}, generator)),
      query_codes_(normal({sizes.pairs, sizes.query_size}, generator)) {}

Batch Task::batch(std::int64_t size, Generator& generator, const Noise& noise) const {
  // Of each example all symbols, shuffled.
  const Tensor symbols = flatten(argsort(uniform({size, sizes_.pairs}, generator), 1));
  const auto noisy = [&](const Tensor& codes, double deviation) {
    const Shape shape{size, sizes_.pairs, codes.size(1)};
    return reshape(index_select(codes, 0, symbols), shape) + normal(shape, generator, 0, deviation);
  };
  const Tensor queries = noisy(query_codes_, noise.queries), keys = noisy(key_codes_, noise.keys);
  return {queries, keys, normal({size, sizes_.pairs, sizes_.value_size}, generator)};
}

void learn(Trainer& trainer, nn::Attention& attention, const Sizes& sizes, Generator& generator) {
  const Task task(sizes, generator);
  Record record(trainer, attention, task, generator);
  optim::Adam optimizer(attention, {.learning_rate = trainer.learning_rate()});
  const std::int64_t every = std::clamp<std::int64_t>(trainer.epochs() / 40, 1, 100);
  trainer.train({{"attention", attention}, {"optimizer", optimizer}, {"data", generator}}, [&](std::int64_t epoch) {
    if (epoch % every == 0) record.look(epoch);
    const Batch batch = task.batch(64, generator);
    const auto share = [&](const Part& part) {
      const Variable output = attention(part(batch.queries), part(batch.keys), part(batch.values)).output;
      return Share{nn::mse_loss(output, part(batch.values), nn::Reduction::sum), static_cast<double>(output.numel())};
    };
    // One step, of a batch that may be computed in parts; the gradient's length is not limited.
    return descend(attention, optimizer, trainer.learning_rate(), batch.keys, share, std::nullopt);
  });
  record.show();
}

void show_worked_example(Trainer& trainer, const nn::AttentionOutput& result) {
  const WorkedExample example;
  const Tensor output = result.output.value(), weights = squeeze(result.weights.value(), 1);
  trainer.say(fmt::format(
      "keys all alike, lengths 2 and 6: weights\n{}\nand outputs, the means of the first 2 and 6 rows of values\n{}\n",
      weights, squeeze(output, 1)));
  const double difference = max(abs(output - example.expected)).item();
  trainer.at_most("worked example: largest difference from the means", difference, 1e-5);
}

}  // namespace regard::recall
