#pragma once

#include "nn/kit/subject.h"

namespace regard::nn::kit {

// The table of variants. Each row is put through every law of the kit; to add one, add its file and its row.
const std::vector<Variant>& variants();

// Variants with a mistake in them, as people make them. The kit must reject each, and name the law.
struct Planted {
  Variant variant;
  Law law;  // the one that must be broken, whatever else is
};
const std::vector<Planted>& planted();

}  // namespace regard::nn::kit
