#pragma once

#include "nn/tools/explain/names.h"

#include <cstdint>
#include <string>
#include <vector>

namespace regard {

// What recorded operations cost, by theory: it follows from shapes alone.
struct Cost {
  std::int64_t operations = 0;
  double multiply_adds = 0;           // of products of matrices: an m×k with a k×n costs m·k·n
  double backward_multiply_adds = 0;  // of the products of the rules, for those gradients that are wanted
  double elements = 0;                // of results that are no products: one function of a few numbers each
  double bytes = 0;                   // read and written, if each tensor is read or written once; views move nothing
  double memory = 0;                  // bytes of results that are kept for the backward pass

  Cost& operator+=(const Cost& more);
  double per_byte() const { return bytes == 0 ? 0 : multiply_adds / bytes; }  // few: bound by memory
};

struct NamedCost {
  std::string name;
  Cost cost;
};

// Of everything that y was made from, added up by operation and by module, the costliest first.
struct Costs {
  Cost total;
  std::vector<NamedCost> by_operation;
  std::vector<NamedCost> by_module;  // "layers.0.attention" with all that is inside; empty unless names are given
};

Costs cost(const Variable& y, const std::vector<NamedParameter>& names = {});

// Of the one operation that made y. Fused attention is counted with all pairs, also those that a mask hides.
Cost cost_of_operation(const Variable& y);

std::string to_text(const Costs& costs);
std::string to_markdown(const Costs& costs);

}  // namespace regard

template <>
struct fmt::formatter<regard::Costs> : regard::PlainFormatter {
  fmt::format_context::iterator format(const regard::Costs& costs, fmt::format_context& context) const;
};
