#pragma once

#include "autograd/all.h"

#include <string>
#include <vector>

namespace regard::reference {

// What PyTorch computed for one case; see make.py.
struct Record {
  std::string id;
  double floor;  // errors of numbers smaller than this are measured as if they had this size
  std::vector<Tensor> inputs;
  Tensor output;

  // Of differentiable operations, one for each float input:
  Tensor cotangent;
  std::vector<Tensor> gradients;
  std::vector<Tensor> directions;  // vⱼ, random
  std::vector<Tensor> second;      // of s = Σⱼ ⟨gradientⱼ, vⱼ⟩: ∂s/∂inputs, then ∂s/∂cotangent

  // The same in PyTorch's f32: the dtype of the output, and the worst errors relative to the f64 numbers above.
  struct {
    DType dtype = DType::f32;
    double output = 0;
    std::vector<double> gradients;
  } f32;
};

const std::vector<Record>& table_records();             // of the cases in tests/cases
const std::vector<Record>& larger_records();            // of extra cases of awkward sizes
const std::vector<Record>& point_records(DType dtype);  // of extra cases at the edges of arithmetic
const Record* find(const std::vector<Record>& records, const std::string& id);

}  // namespace regard::reference
