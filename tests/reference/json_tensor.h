#pragma once

#include "autograd/all.h"

#include <nlohmann/json.hpp>

namespace regard::reference {

using nlohmann::json;

DType dtype_named(const std::string& name);
Tensor read_data(const json& data, const Shape& shape, DType dtype);  // row-major numbers
Tensor read_tensor(const json& x);                                    // {"dtype": …, "shape": […], "data": […]}

}  // namespace regard::reference
