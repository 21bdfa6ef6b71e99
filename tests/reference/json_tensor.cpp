#include "tests/reference/json_tensor.h"

namespace regard::reference {

DType dtype_named(const std::string& name) {
  for (const DType dtype : {DType::f32, DType::f64, DType::i64})
    if (name == name_of(dtype)) return dtype;
  fail<ValueError>("reference data: '{}' is not a dtype", name);
}

namespace {

// JSON has no inf and nan: they are stored as words.
double number(const json& x) { return x.is_string() ? std::stod(x.get<std::string>()) : x.get<double>(); }

}  // namespace

Tensor read_data(const json& data, const Shape& shape, DType dtype) {
  std::vector<double> values;
  for (const json& x : data) values.push_back(number(x));
  return tensor(values, shape, dtype);
}

Tensor read_tensor(const json& x) {
  Shape shape;
  for (const json& size : x.at("shape")) shape.push_back(size.get<std::int64_t>());
  return read_data(x.at("data"), shape, dtype_named(x.at("dtype")));
}

}  // namespace regard::reference
