#include "autograd/attention/look_up.h"

#include "tensor/create.h"

namespace regard {

Variable look_up(const std::vector<double>& table, const Variable& index) {
  if (table.empty()) fail<ValueError>("look_up: the table is empty");
  std::vector<double> found;
  const double last = static_cast<double>(table.size()) - 1;
  for (const double at : to_vector(index.value()))
    found.push_back(table[static_cast<std::size_t>(std::clamp(at, 0.0, last))]);
  return tensor(found, index.shape(), index.dtype());
}

}  // namespace regard
