#pragma once

#include "autograd/variable.h"

namespace regard::nn {

// What layers ask of their options and inputs.

using NamedSize = std::pair<const char*, std::int64_t>;

void require_positive(const char* layer, std::initializer_list<NamedSize> sizes);
void require_positive_or_0(const char* layer, std::initializer_list<NamedSize> sizes);  // 0 stands for a default
void require_epsilon(const char* layer, double epsilon);                                // 0 or more
void require_features(const char* layer, const Variable& x, std::int64_t count);        // along the last axis

}  // namespace regard::nn
