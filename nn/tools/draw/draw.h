#pragma once

#include "autograd/variable.h"
#include "nn/tools/draw/drawing.h"
#include "nn/tools/parameter_names.h"

#include <cstddef>
#include <string>
#include <vector>

namespace regard {

struct DrawOptions {
  std::vector<NamedParameter> names = {};  // nn::named_parameters(model): parameters by name, and modules as boxes
  std::size_t shown = 120;                 // boxes are unfolded, the outer ones first, while no more nodes are in sight
};

// The recorded graph of x as a picture: what it was made from, each operation with its formula and its shape, modules
// as boxes that fold, and on each line the norm of the gradient that comes back if the gradient at x is 1. The graph
// and the gradients of leaves stay as they are. Nothing was kept for this when operations were recorded.
Drawing draw(const Variable& x, const DrawOptions& options = {});

// What is in sight, as a picture that stands alone; light and dark.
std::string to_svg(const Drawing& drawing);

// A page that stands alone, without a script: a click folds and unfolds a box, and pointing at a thing tells about it.
std::string to_html(const Drawing& drawing, const std::string& title = "A recorded graph");

}  // namespace regard
