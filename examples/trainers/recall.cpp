#include "examples/trainers/recall.h"

namespace regard::recall {

void show_worked_example(Trainer& trainer, const nn::AttentionOutput& result) {
  const WorkedExample example;
  const Tensor output = result.output.value(), weights = squeeze(result.weights.value(), 1);
  trainer.say(fmt::format(
      "keys all alike, lengths 2 and 6: weights\n{}\nand outputs, the means of the first 2 and 6 rows of values\n{}\n",
      weights, squeeze(output, 1)));
  const double difference = max(abs(output - example.expected)).item();
  trainer.at_most("worked example: largest difference from the means", difference, 1e-5);
}

Task::Task(const Sizes& sizes, Generator& generator)
    : sizes_(sizes),
      key_codes_(normal({sizes.pairs, sizes.key_size}, generator)),
      query_codes_(normal({sizes.pairs, sizes.query_size}, generator)) {}

Batch Task::batch(std::int64_t size, Generator& generator, const Noise& noise) const {
  const Tensor symbols = flatten(argsort(uniform({size, sizes_.pairs}, generator), 1));
  const auto noisy = [&](const Tensor& codes, double deviation) {
    const Shape shape{size, sizes_.pairs, codes.size(1)};
    return reshape(index_select(codes, 0, symbols), shape) + normal(shape, generator, 0, deviation);
  };
  const Tensor queries = noisy(query_codes_, noise.queries), keys = noisy(key_codes_, noise.keys);
  return {queries, keys, normal({size, sizes_.pairs, sizes_.value_size}, generator)};
}

void Record::add(std::int64_t epoch, double error, double clean, const Tensor& weights) {
  if (!epochs_.empty() && epochs_.back() == static_cast<double>(epoch)) return;
  epochs_.push_back(static_cast<double>(epoch));
  errors_.push_back(error);
  clean_.push_back(clean);
  const std::vector<double> all = to_vector(weights);
  weights_.insert(weights_.end(), all.begin(), all.end());
}

Tensor Record::weights_at(std::size_t look) const {
  const Tensor all = tensor(weights_, {std::ssize(epochs_), pairs_, pairs_});
  return select(all, 0, static_cast<std::int64_t>(look));
}

void Record::show(Trainer& trainer, const ErrorsByNoise& at_the_end) const {
  trainer.say(fmt::format("recall: error {:.4f} before and {:.4f} after training (1 is that of answering 0)",
                          errors_.front(), errors_.back()));
  trainer.at_most("recall: mean squared error on examples never seen", errors_.back(), 0.1);
  const std::size_t last = epochs_.size() - 1;
  const Tensor before = weights_at(0), after = weights_at(last);
  trainer.picture(
      "recall_weights",
      [&] {
        std::vector<Tensor> strip;
        std::vector<std::string> titles;
        for (const double share : {0.0, 0.08, 0.15, 0.25, 0.4, 1.0}) {
          const std::size_t look = static_cast<std::size_t>(share * static_cast<double>(last));
          strip.push_back(unsqueeze(weights_at(look), 0));
          titles.push_back(fmt::format("epoch {}", epochs_[look]));
        }
        return plot::heatmap_grid(stack(strip, 1), {.x = "keys", .y = "queries", .map = plot::Colormap::weights},
                                  {.title = title_of_weights(before, after), .titles = titles, .cell = 92});
      },
      "The weights of one example while the score learns",
      about_weights(before, after) + " Queries and keys come with noise, and are tried with it and without. " +
          about_errors(errors_, at_the_end));
}

void learn(Trainer& trainer, nn::Attention& attention, const Sizes& sizes, Generator& generator) {
  const Task task(sizes, generator);
  const Generator before_test = generator;
  const Batch test = task.batch(256, generator);
  optim::Adam optimizer(attention, {.learning_rate = trainer.learning_rate()});
  const auto answer = [&](const Batch& b) { return attention(b.queries, b.keys, b.values); };
  const auto error_with = [&](const Noise& noise) {  // the same examples as in `test`
    const NoGrad no_grad;
    Generator again = before_test;
    const Batch b = task.batch(256, again, noise);
    return nn::mse_loss(answer(b).output, b.values).item();
  };

  Record record(sizes.pairs);
  trainer.measures(record.lists());
  const auto look = [&](std::int64_t epoch) {
    const NoGrad no_grad;
    const auto [output, weights] = answer(test);
    record.add(epoch, nn::mse_loss(output, test.values).item(), error_with({0, 0}), select(weights.value(), 0, 0));
  };
  std::vector<std::string> asked, stored;
  for (std::int64_t i = 1; i <= sizes.pairs; ++i)
    asked.push_back(fmt::format("query {}", i)), stored.push_back(fmt::format("key {}", i));
  trainer.view("recall", std::vector<nn::TokenList>{{"queries", asked}, {"keys", stored}}, attention,
               {.queries = "queries", .keys = "keys"}, [&test](nn::Attention& own) {
                 return nn::mse_loss(own(test.queries, test.keys, test.values).output, test.values);
               });
  const std::int64_t every = std::clamp<std::int64_t>(trainer.epochs() / 40, 1, 100);
  trainer.train({{"attention", attention}, {"optimizer", optimizer}, {"data", generator}}, [&](std::int64_t epoch) {
    if (epoch % every == 0) look(epoch);
    const Batch batch = task.batch(64, generator);
    const auto share = [&](const Part& part) {
      const Variable output = attention(part(batch.queries), part(batch.keys), part(batch.values)).output;
      return Share{nn::mse_loss(output, part(batch.values), nn::Reduction::sum), static_cast<double>(output.numel())};
    };
    return descend(attention, optimizer, trainer.learning_rate(), batch.keys, share, std::nullopt);
  });
  look(trainer.epochs_done());
  trainer.open_viewer("recall", {"Query 1 belongs to key 1, query 2 to key 2, and so on: level lines are right "
                                 "answers. Each query has a weight of 1 to give away. Move the slider to see how much "
                                 "of it goes where it belongs."});
  record.show(trainer, {error_with({}), error_with({.keys = 0}), error_with({.queries = 0}), error_with({0, 0})});
}

}  // namespace regard::recall
