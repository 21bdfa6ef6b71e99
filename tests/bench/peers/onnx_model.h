#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace regard::bench::onnx {

// An operation as ONNX names it, {"Softmax", {{"axis", -1}}}, for a model file that contains nothing else.
struct Operation {
  std::string name;
  std::vector<std::pair<std::string, std::int64_t>> numbers = {};
  std::vector<std::pair<std::string, std::string>> words = {};
  std::string domain = {};  // empty: ONNX's own
};

using Sizes = std::vector<std::int64_t>;

// f32 numbers that the file contains. They come behind the inputs, and can be prepared once for all runs, as weights
// are.
struct Constant {
  const float* data;
  Sizes sizes;
};

// The names of the inputs and of the output of a model: "x0", "x1", …; "y".
std::string input_name(std::size_t number);
inline constexpr const char* output_name = "y";

// The bytes of a model file that computes y = operation(x0, x1, …) of f32 tensors of these shapes.
std::string model(const Operation& operation, const std::vector<Sizes>& inputs, const std::vector<Constant>& constants,
                  const Sizes& output);

}  // namespace regard::bench::onnx
