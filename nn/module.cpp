#include "nn/module.h"

#include <algorithm>
#include <map>

namespace regard::nn {
namespace {

struct ParameterList : Visitor {
  std::vector<NamedParameter> list;
  void on_parameter(const std::string& path, Variable& parameter) override {
    const bool known = std::any_of(list.begin(), list.end(),
                                   [&](const NamedParameter& one) { return one.parameter.same_as(parameter); });
    if (!known) list.push_back({path, parameter});
  }
};

struct ModeSetter : Visitor {
  explicit ModeSetter(bool training) : training_(training) {}
  void on_mode(bool& training) override { training = training_; }

 private:
  bool training_;
};

struct MethodSetter : Visitor {
  Method method;
  int count = 0;
  explicit MethodSetter(Method to) : method(to) {}
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
  explicit Converter(DType dtype) : dtype_(dtype) {}
  void on_parameter(const std::string&, Variable& parameter) override { set_dtype(parameter, dtype_); }
  void on_buffer(const std::string&, Tensor& buffer) override {
    if (is_float(buffer.dtype())) buffer = regard::to(buffer, dtype_);
  }

 private:
  DType dtype_;
};

}  // namespace

std::vector<NamedParameter> listed_parameters(const std::function<void(Visitor&)>& visit) {
  ParameterList visitor;
  visit(visitor);
  return visitor.list;
}

void set_mode(const std::function<void(Visitor&)>& visit, bool training) {
  ModeSetter visitor(training);
  visit(visitor);
}

int set_method(const std::function<void(Visitor&)>& visit, Method method) {
  MethodSetter visitor(method);
  visit(visitor);
  return visitor.count;
}

void replace_parameters(const std::function<void(Visitor&)>& visit, const NewParameter& by) {
  Replacer visitor(by);
  visit(visitor);
}

void renew_parameters(const std::function<void(Visitor&)>& visit) {
  replace_parameters(visit, [](const std::string&, const Variable& before) {
    return before.requires_grad() ? parameter(before.value()) : Variable(before.value());
  });
}

void convert_members(const std::function<void(Visitor&)>& visit, DType dtype) {
  require_float("convert", dtype);
  Converter visitor(dtype);
  visit(visitor);
}

}  // namespace regard::nn
