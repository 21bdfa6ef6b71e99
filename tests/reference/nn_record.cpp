#include "tests/reference/nn_record.h"

#include "autograd/all.h"
#include "tests/catch.h"
#include "tests/reference/deviation.h"
#include "tests/reference/json_tensor.h"

#include <algorithm>
#include <fstream>
#include <set>

namespace regard::reference {
namespace {

constexpr double floor_size = 0.1;  // FLOOR in nn_record.py
constexpr double f64_tolerance = 1e-12;

struct Totals {
  std::int64_t numbers = 0;
  double worst = 0;
};
std::map<DType, Totals> totals;

Tensors read_tensors(const json& x) {
  Tensors result;
  for (const auto& [name, tensor] : x.items()) result[name] = read_tensor(tensor);
  return result;
}

NnRecord read_nn_record(const json& x) {
  NnRecord record;
  record.name = x.at("name");
  record.numbers = x.at("numbers").get<std::map<std::string, double>>();
  record.inputs = read_tensors(x.at("inputs"));
  record.parameters = read_tensors(x.at("parameters"));
  record.outputs = read_tensors(x.at("outputs"));
  record.cotangents = read_tensors(x.at("cotangents"));
  record.gradients = read_tensors(x.at("gradients"));
  record.f32.outputs = x.at("f32").at("outputs").get<std::map<std::string, double>>();
  record.f32.gradients = x.at("f32").at("gradients").get<std::map<std::string, double>>();
  return record;
}

// f64 to a fixed tolerance, f32 to what its own error allows.
void check_tensor(const std::string& what, const Tensor& ours, const Tensor& reference, DType dtype, double theirs) {
  INFO(what);
  CHECK(ours.dtype() == (is_float(reference.dtype()) ? dtype : reference.dtype()));
  const Deviation found = deviation(ours, reference, floor_size);
  INFO(found.message);
  INFO("PyTorch's own error in f32 is " << theirs);
  CHECK(found.worst <= (dtype == DType::f64 ? f64_tolerance : allowed_in_f32(theirs)));
  totals[dtype].numbers += found.count;
  totals[dtype].worst = std::max(totals[dtype].worst, found.worst);
}

// One pass computes all outputs, and one all gradients: rounding on the way is in each of them, by chance more in one
// or another. So it is PyTorch's largest error that counts.
double largest(const std::map<std::string, double>& errors) {
  double most = 0;
  for (const auto& [name, error] : errors) most = std::max(most, error);
  return most;
}

Tensor in_dtype(const Tensor& x, DType dtype) { return is_float(x.dtype()) ? to(x, dtype) : x; }

}  // namespace

double NnCase::number(const std::string& name) const { return record_.numbers.at(name); }
Tensor NnCase::input(const std::string& name) const { return in_dtype(record_.inputs.at(name), dtype_); }
Tensor NnCase::parameter(const std::string& name) const { return in_dtype(record_.parameters.at(name), dtype_); }

void NnCase::check(const std::vector<NamedParameter>& parameters, const Forward& forward) const {
  Variables leaves, inputs;
  for (auto [name, variable] : parameters) {
    INFO("parameter " << name << " is not in the record");
    REQUIRE(record_.parameters.count(name) == 1);
    assign(variable, parameter(name));
    leaves[name] = variable;
  }
  CHECK(leaves.size() == record_.parameters.size());
  for (const auto& [name, value] : record_.inputs) {
    inputs[name] = is_float(value.dtype()) ? regard::parameter(input(name)) : Variable(value);
    if (is_float(value.dtype())) leaves[name] = inputs[name];
  }

  const Variables outputs = forward(inputs);
  REQUIRE(outputs.size() == record_.outputs.size());
  for (const auto& [name, reference] : record_.outputs)
    check_tensor("output " + name, outputs.at(name).value(), reference, dtype_, largest(record_.f32.outputs));

  std::vector<Variable> ends, starts, wanted;
  for (const auto& [name, cotangent] : record_.cotangents) {
    ends.push_back(outputs.at(name));
    starts.push_back(in_dtype(cotangent, dtype_));
  }
  if (ends.empty()) return;
  for (const auto& [name, gradient] : record_.gradients) wanted.push_back(leaves.at(name));
  const auto found = grad(ends, wanted, {.gradients = starts, .allow_unused = true});
  auto next = found.begin();
  for (const auto& [name, reference] : record_.gradients)
    check_tensor("gradient of " + name, (next++)->value(), reference, dtype_, largest(record_.f32.gradients));
}

void check_family(const std::string& family, const NnCheckers& checkers) {
  const std::string path = fmt::format("{}/nn_{}.json", REGARD_REFERENCE_DATA, family);
  std::ifstream file(path);
  if (!file) fail<IoError>("reference data: cannot read {} (run tests/reference/nn_make.py)", path);
  const json content = json::parse(file);
  std::set<std::string> used;
  totals.clear();
  for (const json& x : content.at("records")) {
    const NnRecord record = read_nn_record(x);
    const std::string module = record.name.substr(0, record.name.find('/'));
    used.insert(module);
    for (const DType dtype : {DType::f64, DType::f32}) {
      INFO(record.name << " in " << name_of(dtype));
      const auto checker = checkers.find(module);
      REQUIRE(checker != checkers.end());
      try {
        checker->second(NnCase(record, dtype));
      } catch (const Error& error) {
        FAIL_CHECK(error.what());
      }
    }
  }
  CHECK(used.size() == checkers.size());  // no checker without a record
  fmt::print(
      "reference: nn_{}: {} records, {} numbers compared; worst deviation from PyTorch {:.1e} in f64, {:.1e} in f32\n",
      family, content.at("records").size(), totals[DType::f64].numbers + totals[DType::f32].numbers,
      totals[DType::f64].worst, totals[DType::f32].worst);
}

}  // namespace regard::reference
