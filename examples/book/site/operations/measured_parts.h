#pragma once

#include <string>

#include "autograd/op_list.h"
#include "examples/book/site/operations/measured.h"

namespace regard::site {

// The parts of an operation's page that show what was measured, as Markdown. Where nothing was, they say how to do it.
std::string picture_part(const OpInfo& op, const Measured& measured);
std::string error_part(const OpInfo& op, const Measured& measured);
std::string speed_part(const OpInfo& op, const Measured& measured);

inline constexpr const char* how_to_measure = "`./examples/run book --measure` measures, and makes the site again.";

}  // namespace regard::site
