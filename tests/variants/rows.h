#pragma once

#include "tests/variants/variants.h"

namespace regard::nn {

// The parts of the table.
std::vector<Variant> score_rows();
std::vector<Variant> position_rows();
std::vector<Variant> shipped_rows();  // of nn/attention/variants
std::vector<Variant> multi_head_rows();

}  // namespace regard::nn
