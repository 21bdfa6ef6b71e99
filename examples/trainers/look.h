#pragma once

#include "nn/module.h"
#include "nn/tools/parameter_names.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace regard {

// --look DIR: the tools that explain look at the first step of a training, write into DIR, and end the program.
struct Looking {
  std::filesystem::path folder;  // empty: nobody looks
};
Looking& looking();

// How a program that has looked ends: nothing was trained, so there is nothing to judge.
struct Looked {};

// Into the folder: graph.html, the recorded graph of the loss; cost.html, what it costs by theory; time.html, what it
// costs here; explain.html, where the largest of all derivatives comes from.
[[noreturn]] void look_at(const std::vector<NamedParameter>& parameters, const std::function<Variable()>& loss);

template <nn::Module M>
void look_if_wanted(M& model, const std::function<Variable()>& loss) {
  if (!looking().folder.empty()) look_at(nn::named_parameters(model), loss);
}

}  // namespace regard
