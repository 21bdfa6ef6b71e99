#include "autograd/gradcheck/bisect/finite.h"

#include "autograd/ops/arithmetic.h"
#include "tensor/ops/arithmetic.h"

#include <cstddef>
#include <utility>

namespace regard::bisecting {

Tensor is_finite(const Tensor& x) { return equal(x - x, 0); }

Tensor finite_part(const Tensor& x) { return where(is_finite(x), x, 0); }

gradchecks::Function of_finite_part(gradchecks::Function f, std::vector<Variable> inputs) {
  return [f = std::move(f), inputs = std::move(inputs)](const std::vector<Variable>& finite) {
    std::vector<Variable> all;
    for (std::size_t i = 0; i < inputs.size(); ++i)
      all.push_back(where(is_finite(inputs[i].value()), finite[i], inputs[i]));
    const Variable y = f(all);
    return where(is_finite(y.value()), y, 0);
  };
}

}  // namespace regard::bisecting
