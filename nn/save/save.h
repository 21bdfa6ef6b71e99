#pragma once

#include "nn/module.h"
#include "nn/save/safetensors.h"

namespace regard::nn {

// save(model, "model.safetensors") stores what the model lists, under the names it lists them with: parameters and
// buffers, and generators and counters as whole numbers. A parameter that is used twice is stored once, under its first
// name. The file is a safetensors file (save/safetensors.h); a save that fails leaves the old one.
//
// load(model, "model.safetensors") puts it all back, into a model that was made the same way. A load that fails leaves
// the model as it was.
//
// A checkpoint is several things in one file, each under a name of its own. They can be whatever a module can list:
//
//   save({{"model", model}, {"optimizer", optimizer}, {"shuffle", generator}, {"epoch", epoch}}, path);
//   load({{"model", model}, {"optimizer", optimizer}, {"shuffle", generator}, {"epoch", epoch}}, path);

// What a load that is not strict left out.
struct Skipped {
  std::vector<std::string> missing;     // listed here, not in the file: unchanged
  std::vector<std::string> unexpected;  // in the file, not listed here
  std::vector<std::string> misshapen;   // in both, but not alike: "w is f32 (3, 2) in the file and f32 (2, 3) here"

  bool empty() const { return missing.empty() && unexpected.empty() && misshapen.empty(); }
  std::string to_string() const;  // "missing: a, b; unexpected: c"
};

struct LoadOptions {
  bool strict = true;  // whatever would be skipped is an error that lists all of it

  // For files of other programs. They call things by other names: this says what a name of ours is called in the file.
  std::function<std::string(const std::string& name)> name_in_file = {};
  // They hold parameters and buffers only: generators and counters stay as they are, whether the file has them or not.
  bool weights_only = false;
  // Floats of another dtype are converted to the one that the member here has: f32 to f64, or f64, rounded, to f32.
  bool convert = false;
};

// What is stored, by name.
std::map<std::string, Tensor> state_of(const Members& members);

// `metadata` is free text about it, such as who made it; load_safetensors(path).metadata reads it.
void save(const Members& members, const std::string& path, const std::map<std::string, std::string>& metadata = {});
Skipped load(const Members& members, const std::string& path, const LoadOptions& options = {});

// From memory: from tensors by name, such as parse_safetensors(bytes, name) gives. `source` is for the messages.
Skipped load(const Members& members, const TensorFile& file, const LoadOptions& options = {},
             const std::string& source = "memory");

}  // namespace regard::nn
