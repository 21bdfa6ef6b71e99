#include "nn/layers/in_bf16.h"

namespace regard::nn {

// The matrices of Linear and Embedding are called `weight`; others are used in other ways.
void store_in_bf16(const Members& members) {
  replace_parameters(members, [](const std::string& name, const Variable& parameter) {
    const bool is_matrix = parameter.rank() == 2 && (name == "weight" || name.ends_with(".weight"));
    return is_matrix ? Variable(to(contiguous(parameter.value()), DType::bf16)) : parameter;
  });
}

}  // namespace regard::nn
