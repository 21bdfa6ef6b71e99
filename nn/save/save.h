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

void save(const std::function<void(Visitor&)>& visit, const std::string& path);
Skipped load(const std::function<void(Visitor&)>& visit, const std::string& path, LoadOptions options = {});

// From memory: from tensors by name, such as parse_safetensors(bytes, name) gives. `source` is for the messages.
Skipped load(const std::function<void(Visitor&)>& visit, const TensorFile& file, LoadOptions options = {},
             const std::string& source = "memory");

template <Module M>
void save(M& module, const std::string& path) {
  save(visit_of(module), path);
}
template <Module M>
Skipped load(M& module, const std::string& path, LoadOptions options = {}) {
  return load(visit_of(module), path, std::move(options));
}
template <Module M>
Skipped load(M& module, const TensorFile& file, LoadOptions options = {}, const std::string& source = "memory") {
  return load(visit_of(module), file, std::move(options), source);
}

// A checkpoint is several things in one file, each under a name of its own. They can be whatever a module can list:
//
//   save({{"model", model}, {"optimizer", optimizer}, {"shuffle", generator}, {"epoch", epoch}}, path);
//   load({{"model", model}, {"optimizer", optimizer}, {"shuffle", generator}, {"epoch", epoch}}, path);
class CheckpointPart {
 public:
  template <class Member>
  requires(!std::same_as<Member, bool>)  // a bool is the mode of a module, which is not stored
      CheckpointPart(const std::string& name, Member& member)
      : visit_([name, &member](Visitor& visitor) { visitor(name, member); }) {}

  void visit(Visitor& visitor) const { visit_(visitor); }

 private:
  std::function<void(Visitor&)> visit_;
};

// `metadata` is free text about it, such as who made it; load_safetensors(path).metadata reads it.
void save(const std::vector<CheckpointPart>& parts, const std::string& path,
          const std::map<std::string, std::string>& metadata = {});
Skipped load(const std::vector<CheckpointPart>& parts, const std::string& path, LoadOptions options = {});
Skipped load(const std::vector<CheckpointPart>& parts, const TensorFile& file, LoadOptions options = {},
             const std::string& source = "memory");

}  // namespace regard::nn
