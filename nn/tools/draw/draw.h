#pragma once

#include "autograd/variable.h"
#include "nn/tools/draw/drawing.h"
#include "nn/tools/explain/names.h"

#include <cstddef>
#include <vector>

namespace regard {

struct DrawOptions {
  std::vector<NamedParameter> names = {};  // nn::named_parameters(model): parameters by name, and modules as boxes
  bool gradients = true;                   // walk back once, so that lines tell what gradient passes
  std::size_t shown = 120;                 // boxes are unfolded, the outer ones first, while no more nodes are in sight
};

// The recorded graph of x as a picture: what it was made from, each operation with its formula and its shape, modules
// as boxes that fold, and on each line the norm of the gradient that comes back if the gradient at x is 1. The graph
// and the gradients of leaves stay as they are. Nothing was kept for this when operations were recorded.
Drawing draw(const Variable& x, const DrawOptions& options = {});

}  // namespace regard
