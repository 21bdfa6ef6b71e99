#pragma once

#include "tests/catch.h"
#include "tests/reference/extra.h"

namespace regard::reference {

// What a record holds, computed by us.
struct Results {
  Tensor output;
  std::vector<Tensor> gradients, second;
};

inline std::vector<Tensor> values(const std::vector<Variable>& variables) {
  std::vector<Tensor> result;
  for (const Variable& x : variables) result.push_back(x.value());
  return result;
}

// f at the inputs of the record, which are converted to `dtype`; no further than the record goes.
inline Results evaluate(const gradchecks::Function& f, const Record& record, DType dtype) {
  std::vector<Variable> inputs, leaves;
  for (const Tensor& x : record.inputs) {
    inputs.push_back(is_float(x.dtype()) ? parameter(to(x, dtype)) : Variable(x));
    if (is_float(x.dtype())) leaves.push_back(inputs.back());
  }
  const Variable output = f(inputs);
  Results results{output.value(), {}, {}};
  if (record.gradients.empty()) return results;

  // The cotangent is a leaf too: the gradients are a function of the inputs and of it.
  const Variable cotangent = parameter(to(record.cotangent, output.dtype()));
  const bool twice = !record.second.empty();
  const auto gradients =
      grad({output}, leaves, {.gradients = {cotangent}, .create_graph = twice, .allow_unused = true});
  results.gradients = values(gradients);
  if (!twice) return results;

  std::vector<Variable> varying, directions;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    if (!gradients[i].requires_grad()) continue;
    varying.push_back(gradients[i]);
    directions.push_back(to(record.directions[i], dtype));
  }
  leaves.push_back(cotangent);
  results.second = values(grad(varying, leaves, {.gradients = directions, .allow_unused = true}));
  return results;
}

// visit(record, results) for every case with random inputs. One that throws fails, and the others go on.
template <class Visit>
void for_each_subject(DType dtype, Visit visit) {
  for (const auto& [record, f] : subjects()) {
    INFO(record->id);
    try {
      visit(*record, evaluate(f, *record, dtype));
    } catch (const Error& error) {
      FAIL_CHECK(error.what());
    }
  }
}

}  // namespace regard::reference
