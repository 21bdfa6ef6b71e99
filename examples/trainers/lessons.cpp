#include "examples/trainers/lessons.h"

namespace regard {

std::array<nn::PaddedTokens, 2> Lessons::at(std::int64_t step) {
  const std::int64_t steps = steps_of_pass();
  if (step / steps != number_) begin_pass(step / steps);
  return (*batches_)[step % steps];
}

void Lessons::begin_pass(std::int64_t number) {
  number_ = number;
  Generator generator(seed_, static_cast<std::uint64_t>(number) << 32);
  Pairs pairs = pass_(generator);
  batches_ = nn::length_batches(std::move(pairs), options_, generator);
}

}  // namespace regard
