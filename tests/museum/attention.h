#pragma once

#include "nn/kit/trial.h"
#include "tests/museum/exhibit.h"

namespace regard::museum {

// Attention in a few lines, as exhibits write it: keep (…, Lq, Lk) is 1 where a query may see a key.
using Attend =
    std::function<nn::AttentionOutput(const Variable& q, const Variable& k, const Variable& v, const Tensor& keep)>;

// Caught where it breaks this law of the kit; what the kit found is shown.
//   by_kit(nn::kit::Law::masked_row, nn::kit::check_masked_row, attend)
Finding by_kit(nn::kit::Law law, nn::kit::Check check, const Attend& attend);

}  // namespace regard::museum
