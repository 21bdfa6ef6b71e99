#include "examples/trainers/recall.h"

namespace regard::recall {

Record::Record(Trainer& trainer, nn::Attention& attention, const Task& task, Generator& generator)
    : trainer_(trainer),
      attention_(attention),
      task_(task),
      before_test_(generator),
      test_(task.batch(256, generator)) {
  trainer.measures({{"epochs", epochs_}, {"errors", errors_}, {"clean", clean_}, {"weights", weights_}});
  std::vector<std::string> asked, stored;
  for (std::int64_t i = 1; i <= test_.keys.size(1); ++i)
    asked.push_back(fmt::format("query {}", i)), stored.push_back(fmt::format("key {}", i));
  trainer.view("recall", std::vector<nn::TokenList>{{"queries", asked}, {"keys", stored}}, attention,
               {.queries = "queries", .keys = "keys"}, [test = test_](nn::Attention& own) {
                 return nn::mse_loss(own(test.queries, test.keys, test.values).output, test.values);
               });
}

double Record::error_with(const Noise& noise) const {
  const NoGrad no_grad;
  Generator again = before_test_;
  const Batch b = task_.batch(256, again, noise);
  return nn::mse_loss(attention_(b.queries, b.keys, b.values).output, b.values).item();
}

void Record::look(std::int64_t epoch) {
  if (!epochs_.empty() && epochs_.back() == static_cast<double>(epoch)) return;
  const NoGrad no_grad;
  const auto [output, weights] = attention_(test_.queries, test_.keys, test_.values);
  epochs_.push_back(static_cast<double>(epoch));
  errors_.push_back(nn::mse_loss(output, test_.values).item());
  clean_.push_back(error_with({0, 0}));
  const std::vector<double> all = to_vector(select(weights.value(), 0, 0));
  weights_.insert(weights_.end(), all.begin(), all.end());
}

void Record::show() {
  look(trainer_.epochs_done());
  trainer_.open_viewer("recall", {"Query 1 belongs to key 1, query 2 to key 2, and so on: level lines are right "
                                  "answers. Each query has a weight of 1 to give away. Move the slider to see how much "
                                  "of it goes where it belongs."});
  trainer_.say(fmt::format("recall: error {:.4f} before and {:.4f} after training (1 is that of answering 0)",
                           errors_.front(), errors_.back()));
  trainer_.at_most("recall: mean squared error on examples never seen", errors_.back(), 0.1);
  const std::int64_t last = std::ssize(epochs_) - 1, pairs = test_.keys.size(1);
  const Tensor looks = tensor(weights_, {last + 1, pairs, pairs});
  const Tensor before = select(looks, 0, 0), after = select(looks, 0, last);
  trainer_.picture(
      "recall_weights",
      [&] {
        std::vector<Tensor> strip;
        std::vector<std::string> titles;
        for (const double share : {0.0, 0.08, 0.15, 0.25, 0.4, 1.0}) {
          const auto n = static_cast<std::int64_t>(share * static_cast<double>(last));
          strip.push_back(slice(looks, 0, n, n + 1));
          titles.push_back(fmt::format("epoch {}", epochs_[static_cast<std::size_t>(n)]));
        }
        return plot::heatmap_grid(stack(strip, 1), {.x = "keys", .y = "queries", .map = plot::Colormap::weights},
                                  {.title = title_of_weights(before, after), .titles = titles, .cell = 92});
      },
      "The weights of one example while the score learns",
      about_weights(before, after) + " Queries and keys come with noise, and are tried with it and without. " +
          about_errors(errors_,
                       {error_with({}), error_with({.keys = 0}), error_with({.queries = 0}), error_with({0, 0})}));
}

}  // namespace regard::recall
