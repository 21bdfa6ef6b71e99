#pragma once

#include "nn/attention/watch.h"
#include "nn/tools/view/formula.h"

namespace regard::nn {

// What of a call of attention can be shown besides what it returned.
struct Sight {
  using Rows = std::function<Tensor(const std::vector<std::int64_t>& queries)>;  // → (…, queries, Lk)

  Tensor scores = {};               // before softmax, (…, Lq, Lk), masked pairs too; of fused attention undefined
  Rows rows = {}, score_rows = {};  // of fused attention: weights and scores of some queries, computed again
  ScoreFormula formula = {};
  Tensor v = {};  // (…, Lk, Dv), for each head its own
};

// It is made of the numbers of now. Of fused attention one sequence of the batch is kept, so that the others can go.
Sight sight_of(const Attended& call, std::int64_t sequence);

}  // namespace regard::nn
