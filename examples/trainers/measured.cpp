#include "examples/trainers/measured.h"

#include "tensor/create.h"

namespace regard {

void Measured::visit(nn::Visitor& visitor) {
  for (auto& [name, numbers] : lists_) {
    Tensor stored = tensor(numbers, {std::ssize(numbers)}, DType::f64);
    visitor(name, stored);
    numbers = to_vector(stored);  // the visitor may have brought others
  }
}

void Measured::take_lengths(const nn::TensorFile& file, const std::string& name) {
  for (auto& [list, numbers] : lists_) {
    const auto found = file.tensors.find(name + "." + list);
    if (found != file.tensors.end()) numbers.resize(static_cast<std::size_t>(found->second.numel()));
  }
}

}  // namespace regard
