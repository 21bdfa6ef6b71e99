#pragma once

#include "nn/tools/explain/trace.h"
#include "nn/tools/parameter_names.h"

namespace regard {

// The parts of the name of a module, from the outside in. A number belongs to the list that it counts:
// "decoder.layers.0.attention" has the parts decoder, layers.0, attention.
using ModulePath = std::vector<std::string>;

ModulePath path_of(const std::string& module);
std::string name_of(const ModulePath& path);
bool is_numbered(const std::string& part);  // "layers.0", "0"

// The module of each step of a trace, found without any help of the modules: from the names of the parameters and from
// the order of recording.
//   - An operation that uses a parameter "a.b.weight" belongs to a.b. One that uses parameters of several modules
//     belongs to what their paths have in common.
//   - Any other operation stands between two that are known, A before it and B after it, and belongs to what their
//     paths have in common. But where A is in a numbered child, one of several alike, and B is not, it still belongs to
//     that child: the last thing that a layer does, x + f(x), needs no parameter.
//   - What is before the first and after the last, such as the loss, is outside of all: its path is empty. Leaves have
//     an empty path, too. A parameter "x", without a dot, tells of no module.
std::vector<ModulePath> modules_of(const graph::Trace& steps, const std::vector<NamedParameter>& names);

}  // namespace regard
