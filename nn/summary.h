#pragma once

#include "nn/module.h"

namespace regard::nn {

std::string summary_of(const std::type_info& type, const Members& members);

// The module as a tree, with the shape and size of everything it lists:
//
//   Sequential            21
//   ├─ 0: Linear          16
//   │  ├─ weight  (4, 3)  12
//   │  └─ bias    (4)      4
//   ├─ 1: ReLU             0
//   └─ 2: Linear           5
//      ├─ weight  (1, 4)   4
//      └─ bias    (1)      1
//   21 parameters, 84 bytes
//
// A parameter that was listed before counts once; one without requires_grad is marked as frozen; buffers are shown and
// do not count as parameters.
template <Module M>
std::string summary(M& module) {
  return summary_of(typeid(M), module);
}

}  // namespace regard::nn
