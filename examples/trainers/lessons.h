#pragma once

#include "nn/text/length_batches.h"

#include <functional>
#include <optional>

namespace regard {

// What a training reads in step 0, 1, 2, …: passes without end through pairs of sequences, each cut into batches of
// similar lengths. What pass n holds, and in which order, follows from the seed and n alone. So a training that goes on
// from a checkpoint reads what it would have read.
class Lessons {
 public:
  using Pairs = std::array<nn::Sequences, 2>;
  using Pass = std::function<Pairs(Generator&)>;  // the pairs of one pass: always as many

  Lessons(Pass pass, const nn::LengthBatchOptions& options, std::uint64_t seed)
      : pass_(std::move(pass)), options_(options), seed_(seed) {
    begin_pass(0);
  }

  std::array<nn::PaddedTokens, 2> at(std::int64_t step);
  std::int64_t steps_of_pass() const { return batches_->count(); }

 private:
  void begin_pass(std::int64_t number);

  Pass pass_;
  nn::LengthBatchOptions options_;
  std::uint64_t seed_;
  std::int64_t number_ = 0;
  std::optional<nn::Batches<std::array<nn::PaddedTokens, 2>>> batches_;
};

}  // namespace regard
