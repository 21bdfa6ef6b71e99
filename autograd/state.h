#pragma once

#include "autograd/record.h"

#include <atomic>

namespace regard {

// What the handles of one Variable share. Only what makes and walks a graph sees it, and nn/tools/explain.
struct Variable::State {
  State(Tensor&& v, bool wants_gradient) : value(std::move(v)), requires_grad(wants_gradient) {}

  Tensor value;
  std::uint64_t order = next_order();
  std::uint32_t version = 0;  // counts assign()
  bool requires_grad;
  std::unique_ptr<graph::Node> node;
  Variable gradient;
  std::unique_ptr<std::vector<std::pair<int, Hook>>> hooks;  // null for nearly all

 private:
  static std::uint64_t next_order() {
    static std::atomic<std::uint64_t> count{0};
    return count.fetch_add(1, std::memory_order_relaxed);
  }
};

// The engine's key to the state of a Variable.
class StateAccess {
 public:
  static Variable::State& of(const Variable& x) {
    if (!x.state_) fail<ValueError>("an undefined Variable was used in a computation");
    return *x.state_;
  }
};

std::uint64_t sum_of_versions(const graph::Inputs& inputs);

}  // namespace regard
