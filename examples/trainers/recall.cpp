#include "examples/trainers/recall.h"

namespace regard::recall {

void show_worked_example(Trainer& trainer, const nn::AttentionOutput& result) {
  const WorkedExample example;
  const Tensor output = result.output.value(), weights = squeeze(result.weights.value(), 1);
  trainer.say(fmt::format(
      "keys all alike, lengths 2 and 6: weights\n{}\nand outputs, the means of the first 2 and 6 rows of values\n{}\n",
      weights, squeeze(output, 1)));
  trainer.at_most("worked example: largest difference from the means", max(abs(output - example.expected)).item(),
                  1e-5);
  trainer.picture(
      "worked_example",
      [&] {
        return plot::heatmap(weights, {.title = "All keys alike: equal weights over what is valid",
                                       .x = "keys",
                                       .y_tokens = {"length 2", "length 6"},
                                       .low = 0,
                                       .values = true});
      },
      "Two queries over ten keys that are all alike",
      "Only 2 keys are valid for the first query and 6 for the second. What is valid shares the weight equally; "
      "what is masked gets exactly 0.");
}

Task::Task(const Sizes& sizes, Generator& generator)
    : sizes_(sizes),
      key_codes_(normal({sizes.pairs, sizes.key_size}, generator)),
      query_codes_(normal({sizes.pairs, sizes.query_size}, generator)) {}

Batch Task::batch(std::int64_t size, Generator& generator) const {
  const Tensor symbols = flatten(argsort(uniform({size, sizes_.pairs}, generator), 1));
  const auto noisy = [&](const Tensor& codes) {
    const Shape shape{size, sizes_.pairs, codes.size(1)};
    return reshape(index_select(codes, 0, symbols), shape) + normal(shape, generator, 0, 0.2);
  };
  const Tensor queries = noisy(query_codes_), keys = noisy(key_codes_);
  return {queries, keys, normal({size, sizes_.pairs, sizes_.value_size}, generator)};
}

void Record::add(std::int64_t epoch, double error, const Tensor& weights) {
  if (!epochs_.empty() && epochs_.back() == static_cast<double>(epoch)) return;
  epochs_.push_back(static_cast<double>(epoch));
  errors_.push_back(error);
  const std::vector<double> all = to_vector(weights);
  weights_.insert(weights_.end(), all.begin(), all.end());
}

void Record::show(Trainer& trainer) const {
  trainer.say(fmt::format("recall: error {:.4f} before and {:.4f} after training (1 is that of answering 0)",
                          errors_.front(), errors_.back()));
  trainer.at_most("recall: mean squared error on examples never seen", errors_.back(), 0.1);
  trainer.picture(
      "recall_weights",
      [&] {
        const Tensor all = tensor(weights_, {std::ssize(epochs_), pairs_, pairs_});
        std::vector<Tensor> strip;
        std::vector<std::string> titles;
        const std::size_t last = epochs_.size() - 1;
        for (const double share : {0.0, 0.08, 0.15, 0.25, 0.4, 1.0}) {
          const std::size_t i = static_cast<std::size_t>(share * static_cast<double>(last));
          strip.push_back(unsqueeze(select(all, 0, static_cast<std::int64_t>(i)), 0));
          titles.push_back(fmt::format("epoch {}", epochs_[i]));
        }
        return plot::heatmap_grid(stack(strip, 1), {.x = "keys", .y = "queries", .low = 0, .high = 1},
                                  {.title = "From flat to diagonal", .titles = titles, .cell = 130});
      },
      "The weights of one example while the score learns",
      "Query i belongs to key i. An untrained score gives every key about the same weight; in training the diagonal "
      "grows.");
  trainer.picture(
      "recall_error",
      [&] {
        plot::Figure figure;
        figure.axes().title("Error on examples never seen").x_label("epoch").y_label("mean squared error");
        figure.axes().y_logarithmic().line(epochs_, errors_, {.width = 2});
        return figure;
      },
      "The error of recall", "It falls once the score tells keys apart; what remains is the noise in the queries.");
}

}  // namespace regard::recall
