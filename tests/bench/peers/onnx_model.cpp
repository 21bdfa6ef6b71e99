#include "tests/bench/peers/onnx_model.h"

namespace regard::bench::onnx {
namespace {

// ONNX files are protocol buffers: a message is its fields one after another, and a field is a key, which holds its
// number and its kind, and a value. Of the kinds two are used: whole numbers, and bytes, which may be a message again.
// Numbers are written seven bits at a time, the lowest first; a set eighth bit says that more follow.
std::string digits(std::uint64_t number) {
  std::string text;
  for (; number >= 0x80; number >>= 7) text += static_cast<char>(number | 0x80);
  return text + static_cast<char>(number);
}
std::string number(std::uint64_t field, std::int64_t value) {
  return digits(field << 3) + digits(static_cast<std::uint64_t>(value));
}
std::string bytes(std::uint64_t field, const std::string& value) {
  return digits(field << 3 | 2) + digits(value.size()) + value;
}

// The numbers of fields are those of onnx.proto.
std::string attribute(const std::string& name, std::int64_t value) {
  return bytes(5, bytes(1, name) + number(3, value) + number(20, 2));
}
std::string attribute(const std::string& name, const std::string& value) {
  return bytes(5, bytes(1, name) + bytes(4, value) + number(20, 3));
}

std::string tensor(const std::string& name, const Sizes& sizes) {
  std::string shape;
  for (const std::int64_t size : sizes) shape += bytes(1, number(1, size));
  return bytes(1, name) + bytes(2, bytes(1, number(1, 1) + bytes(2, shape)));  // 1: f32
}

std::string constant(const std::string& name, const Constant& x) {
  std::string sizes;
  std::size_t bytes_of_data = sizeof(float);
  for (const std::int64_t size : x.sizes) {
    sizes += number(1, size);
    bytes_of_data *= static_cast<std::size_t>(size);
  }
  const std::string data(reinterpret_cast<const char*>(x.data), bytes_of_data);
  return sizes + number(2, 1) + bytes(8, name) + bytes(9, data);  // 1: f32
}

std::string library(const std::string& domain, std::int64_t version) {
  return bytes(8, bytes(1, domain) + number(2, version));
}

}  // namespace

std::string input_name(std::size_t number) { return "x" + std::to_string(number); }

std::string model(const Operation& operation, const std::vector<Sizes>& inputs, const std::vector<Constant>& constants,
                  const Sizes& output) {
  std::string node, tensors;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    node += bytes(1, input_name(i));
    tensors += bytes(11, tensor(input_name(i), inputs[i]));
  }
  for (std::size_t i = 0; i < constants.size(); ++i) {
    const std::string name = input_name(inputs.size() + i);
    node += bytes(1, name);
    tensors += bytes(5, constant(name, constants[i]));
  }
  node += bytes(2, output_name) + bytes(4, operation.name) + bytes(7, operation.domain);
  for (const auto& [name, value] : operation.numbers) node += attribute(name, value);
  for (const auto& [name, value] : operation.words) node += attribute(name, value);
  const std::string graph =
      bytes(1, node) + bytes(2, "one operation") + tensors + bytes(12, tensor(output_name, output));
  return number(1, 9) + bytes(7, graph) + library("", 20) + library("com.microsoft", 1);
}

}  // namespace regard::bench::onnx
