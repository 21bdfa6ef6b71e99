#pragma once

#include "nn/tools/draw/looks.h"
#include "nn/tools/draw/picture.h"

#include <functional>
#include <string>

namespace regard {

// What is in sight, as a picture that stands alone; light and dark.
std::string to_svg(const Drawing& drawing);

// The same for a page, which brings the style: `link_of` returns the attributes of the link that a node in sight is, if
// it is one.
using LinkOf = std::function<std::string(std::size_t node)>;
std::string svg_of(const Drawing& drawing, const Picture& picture, const std::vector<LineLook>& looks,
                   const std::string& style, const LinkOf& link_of);

}  // namespace regard
