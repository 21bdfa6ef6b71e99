#pragma once

#include "examples/trainers/descend.h"
#include "examples/trainers/recall_claims.h"
#include "examples/trainers/trainer.h"
#include "nn/all.h"

// What the trainers of single scores share: a worked example whose answer is known, and a task to learn.
namespace regard::recall {

// Queries (2, 1, Dq), all keys alike, values 0 … 39, of which the first 2 and the first 6 rows are valid: whatever the
// score, the weights are equal over what is valid, and the outputs are means.
struct WorkedExample {
  Tensor keys = ones({2, 10, 2});
  Tensor values = expand(reshape(arange(40, DType::f32), {1, 10, 4}), {2, 10, 4});
  nn::Mask mask = nn::Mask::valid_lengths({2, 6});
  Tensor expected = tensor({{{2, 3, 4, 5}}, {{10, 11, 12, 13}}});
};
void show_worked_example(Trainer& trainer, const nn::AttentionOutput& result);

// Associative recall. There are as many symbols as pairs, and each has two codes: one as a key and one as a query, of
// different sizes. An example stores a random value under each symbol, in random order, and then asks for all of them;
// the codes come with noise. To fetch the right values, a score has to find out which codes belong together.
struct Sizes {
  std::int64_t pairs = 10, key_size = 6, query_size = 8, value_size = 4;
};
struct Batch {
  Tensor queries, keys, values;  // (B, pairs, …); the right answer to query i is value i
};
struct Noise {
  double queries = 0.2, keys = 0.2;  // deviations
};

class Task {
 public:
  Task(const Sizes& sizes, Generator& generator);
  Batch batch(std::int64_t size, Generator& generator, const Noise& noise = {}) const;

 private:
  Sizes sizes_;
  Tensor key_codes_, query_codes_;  // (symbols, size)
};

// The pictures and measures of a training: weights of one example as they turn from flat to diagonal, and the error.
class Record {
 public:
  explicit Record(std::int64_t pairs) : pairs_(pairs) {}

  std::vector<MeasuredList> lists() {
    return {{"epochs", epochs_}, {"errors", errors_}, {"clean", clean_}, {"weights", weights_}};
  }
  // `clean`: the error where the codes come without noise.
  void add(std::int64_t epoch, double error, double clean, const Tensor& weights);
  void show(Trainer& trainer, const ErrorsByNoise& at_the_end) const;

 private:
  Tensor weights_at(std::size_t look) const;

  std::int64_t pairs_;
  std::vector<double> epochs_, errors_, clean_, weights_;  // all weights of an example, then those of the next epoch
};

// Trains an attention with any score on the task.
template <nn::AnyScore S>
void learn(Trainer& trainer, nn::Attention<S>& attention, const Sizes& sizes, Generator& generator) {
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
               {.queries = "queries", .keys = "keys"}, [&test](nn::Attention<S>& own) {
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
  record.show(trainer, {error_with({}), error_with({.keys = 0}), error_with({.queries = 0}), error_with({0, 0})});
}

}  // namespace regard::recall
