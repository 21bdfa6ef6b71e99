#pragma once

#include "nn/tools/explain/trace.h"
#include "nn/tools/parameter_names.h"

namespace regard {

// What recorded operations cost, by theory: it follows from shapes alone. Only profile() measures seconds.
struct Cost {
  std::int64_t operations = 0;
  double multiply_adds = 0;           // of products of matrices: an m×k with a k×n costs m·k·n
  double backward_multiply_adds = 0;  // of the products of the rules, for those gradients that are wanted
  double elements = 0;                // of operations that are no products: of the largest of inputs and result
  double bytes = 0;                   // read and written, if each tensor is read or written once; views move nothing
  double memory = 0;                  // bytes of results that are kept for the backward pass
  double forward = 0, backward = 0;   // seconds

  Cost& operator+=(const Cost& more);
  double per_byte() const { return bytes == 0 ? 0 : multiply_adds / bytes; }  // few: bound by memory
  double seconds() const { return forward + backward; }
  double flops() const;  // multiplications and additions a second, of products, forward and backward
};

struct NamedCost {
  std::string name;
  Cost cost;
};

// Added up by operation and by module, the slowest first, or the costliest.
struct Costs {
  Cost total = {};
  std::vector<NamedCost> by_operation = {};
  std::vector<NamedCost> by_module = {};  // "layers.0.attention" with all that is inside; empty unless names are given
};
Costs added_up(const graph::Trace& steps, const std::vector<NamedParameter>& names,
               const std::function<Cost(std::size_t step)>& cost_of);

// Of everything that y was made from.
Costs cost(const Variable& y, const std::vector<NamedParameter>& names = {});

// Of the one operation that made y. Fused attention is counted with all pairs, also those that a mask hides.
Cost cost_of_operation(const Variable& y);

std::string to_text(const Costs& costs);
std::string to_html(const Costs& costs);

}  // namespace regard
