#include "nn/module.h"

#include <map>
#include <set>

namespace regard::nn {
namespace {

struct ParameterList : Visitor {
  std::vector<NamedParameter> list;
  std::set<std::uint64_t> known;  // by their order()
  void on_parameter(const std::string& path, Variable& parameter) override {
    if (known.insert(parameter.order()).second) list.push_back({path, parameter});
  }
};

struct ModeSetter : Visitor {
  explicit ModeSetter(bool on) : mode(on) {}
  bool mode;
  void on_mode(bool& training) override { training = mode; }
};

struct MethodSetter : Visitor {
  explicit MethodSetter(Method to) : method(to) {}
  Method method;
  int count = 0;
  void on_method(Method& one) override {
    one = method;
    ++count;
  }
};

struct Replacer : Visitor {
  explicit Replacer(const NewParameter& what) : by(what) {}
  const NewParameter& by;
  std::map<std::uint64_t, Variable> instead;  // of which, by its order()
  void on_parameter(const std::string& path, Variable& parameter) override {
    const auto [found, is_new] = instead.try_emplace(parameter.order());
    if (is_new) found->second = by(path, parameter);
    parameter = found->second;
    instead.try_emplace(parameter.order(), parameter);  // where the same member is listed again
  }
};

struct Converter : Visitor {
  explicit Converter(DType to) : dtype(to) {}
  DType dtype;
  void on_parameter(const std::string&, Variable& parameter) override { set_dtype(parameter, dtype); }
  void on_buffer(const std::string&, Tensor& buffer) override {
    if (is_float(buffer.dtype())) buffer = regard::to(buffer, dtype);
  }
};

}  // namespace

void replace_parameters(const Members& members, const NewParameter& by) {
  Replacer visitor(by);
  members(visitor);
}

std::vector<NamedParameter> named_parameters(const Members& members) {
  ParameterList visitor;
  members(visitor);
  return visitor.list;
}

std::vector<Variable> parameters(const Members& members) {
  std::vector<Variable> list;
  for (const auto& [name, parameter] : named_parameters(members)) list.push_back(parameter);
  return list;
}

std::int64_t parameter_count(const Members& members) {
  std::int64_t count = 0;
  for (const Variable& parameter : parameters(members)) count += parameter.numel();
  return count;
}

void train(const Members& members) {
  ModeSetter visitor(true);
  members(visitor);
}

void eval(const Members& members) {
  ModeSetter visitor(false);
  members(visitor);
}

int set_method(const Members& members, Method method) {
  MethodSetter visitor(method);
  members(visitor);
  return visitor.count;
}

void renew_parameters(const Members& members) {
  replace_parameters(members, [](const std::string&, const Variable& before) {
    return before.requires_grad() ? parameter(before.value()) : Variable(before.value());
  });
}

void convert(const Members& members, DType dtype) {
  require_float("convert", dtype);
  Converter visitor(dtype);
  members(visitor);
}

}  // namespace regard::nn
