#pragma once

#include "nn/tools/parameter_names.h"

namespace regard {

struct InfluenceOptions {
  int output_axis = -2, input_axis = -2;   // along which positions are counted: (…, L, E) → −2
  std::uint64_t seed = 1;                  // of the random c
  bool exact = false;                      // no c: one backward pass for each number of a position, not one in all
  std::vector<NamedParameter> names = {};  // such as nn::named_parameters(model): an error then names the module, too
};

// Who can influence whom: how much the outputs of position i move if the inputs of position j do.
struct Influence {
  Tensor sizes;       // (outputs, inputs): √Σ (∂(c·yᵢ)/∂xⱼ)²; exact: √Σ (∂yᵢ/∂xⱼ)²
  std::string tried;  // for which inputs and c this was found
};

// y was recorded from x, which may be a parameter or the result of an operation, such as what an embedding returns.
// Numbers of other axes, batch and features, are summed up. One backward pass for each position of the output; the
// graph stays as it is. Hooks on gradients are not run: they would change what is looked at.
//
// c is a random weight for each number of a position: without it, +1 here and −1 there would cancel, as they do in
// outputs whose sum is fixed. A size of 0 means: not at this input, to first order. It can be another input at which
// the same pair has an influence, so the functions below say what they have tried.
Influence influence(const Variable& y, const Variable& x, const InfluenceOptions& options = {});

// Throws if some output depends on a later input, and names the operation by which the future first comes in. There are
// as many outputs as inputs. Returns what was looked at.
Influence assert_causal(const Variable& y, const Variable& x, const InfluenceOptions& options = {});

// Throws if some output before position `length` depends on an input from there on.
Influence assert_padding_ignored(const Variable& y, const Variable& x, std::int64_t length,
                                 const InfluenceOptions& options = {});

// For each output position the first and the last input position that has an influence; first > last: none has.
struct Field {
  std::int64_t first = 0, last = -1;
};
std::vector<Field> receptive_field(const Variable& y, const Variable& x, const InfluenceOptions& options = {});

// The result of the first operation that used this Variable: the rows that an embedding looked up in its table, say,
// since tokens themselves have no gradient.
Variable first_use(const Variable& y, const Variable& parameter);

}  // namespace regard
