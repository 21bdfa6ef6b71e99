#include "nn/layers/in_bf16.h"

namespace regard::nn {
namespace {

// The matrices of Linear and Embedding are called `weight`; others are used in other ways. One that is used twice is
// again one.
struct Narrower : Visitor {
  std::vector<std::pair<Variable, Variable>> narrowed;  // wide, narrow
  void on_parameter(const std::string& name, Variable& parameter) override {
    if (parameter.rank() != 2 || !(name == "weight" || name.ends_with(".weight"))) return;
    for (const auto& [wide, narrow] : narrowed)
      if (wide.same_as(parameter)) {
        parameter = narrow;
        return;
      }
    const Variable wide = parameter;
    parameter = Variable(to(contiguous(wide.value()), DType::bf16));
    narrowed.emplace_back(wide, parameter);
  }
};

}  // namespace

void store_in_bf16(const std::function<void(Visitor&)>& visit) {
  Narrower visitor;
  visit(visitor);
}

}  // namespace regard::nn
