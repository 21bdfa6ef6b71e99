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

// The pictures, the viewer and the measures of a training: the error on examples never seen, and the weights of one of
// them as they turn from flat to diagonal.
class Record {
 public:
  Record(Trainer& trainer, nn::Attention& attention, const Task& task, Generator& generator);
  void look(std::int64_t epoch);
  void show();  // when all is learned

 private:
  double error_with(const Noise& noise) const;  // of the same examples, with other noise

  Trainer& trainer_;
  nn::Attention& attention_;
  const Task& task_;
  Generator before_test_;
  Batch test_;
  std::vector<double> epochs_, errors_, clean_, weights_;  // all weights of an example, then those of the next epoch
};

// Trains an attention with any score on the task.
void learn(Trainer& trainer, nn::Attention& attention, const Sizes& sizes, Generator& generator);

}  // namespace regard::recall
