#pragma once

#include "nn/module.h"

#include <functional>
#include <map>
#include <string>

namespace regard::reference {

using Tensors = std::map<std::string, Tensor>;
using Variables = std::map<std::string, Variable>;

// What PyTorch computed for one use of a module, by name; see nn_record.py.
struct NnRecord {
  std::string name;                       // "linear/without bias": the module, and what is special about this use
  std::map<std::string, double> numbers;  // options
  Tensors inputs, parameters, outputs;
  Tensors cotangents;  // of the outputs that have a gradient
  Tensors gradients;   // of Σ ⟨output, cotangent⟩, for all floats among inputs and parameters
  struct {
    std::map<std::string, double> outputs, gradients;  // how far PyTorch's own f32 is from the above
  } f32;
};

// A record to be checked in one dtype. Floats are handed out in this dtype.
class NnCase {
 public:
  using Forward = std::function<Variables(const Variables& inputs)>;

  NnCase(const NnRecord& record, DType dtype) : record_(record), dtype_(dtype) {}
  const NnRecord& record() const { return record_; }
  DType dtype() const { return dtype_; }
  double number(const std::string& name) const;
  std::int64_t integer(const std::string& name) const { return static_cast<std::int64_t>(number(name)); }
  Tensor input(const std::string& name) const;
  Tensor parameter(const std::string& name) const;

  // Runs forward on the inputs, as leaves, and compares outputs and gradients. The module gets the parameters of the
  // record, which must be the ones it lists, no more and no less.
  void check(const std::vector<NamedParameter>& parameters, const Forward& forward) const;
  template <nn::Module M>
  void check_module(M& module, const Forward& forward) const {
    check(nn::named_parameters(module), forward);
  }

 private:
  const NnRecord& record_;
  DType dtype_;
};

// Reads data/nn_<family>.json and checks each record in f64 and f32 by the checker whose name is the record's up to its
// first '/'. A record without a checker fails, and so does a checker without a record. Prints a line of totals.
using NnCheckers = std::map<std::string, std::function<void(const NnCase&)>>;
void check_family(const std::string& family, const NnCheckers& checkers);

}  // namespace regard::reference
