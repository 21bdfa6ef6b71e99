// Laws about a variant as a module: modes, state, parameters, its formula.
#include "autograd/all.h"
#include "autograd/ancestors.h"
#include "nn/kit/trial.h"
#include "nn/save/save.h"

#include <filesystem>
#include <random>
#include <stdexcept>

namespace regard::nn::kit {
namespace {

struct ByName : Visitor {
  std::map<std::string, Variable> parameters;
  std::string twice;  // a name that two members have
  void on_parameter(const std::string& path, Variable& x) override {
    if (!parameters.emplace(path, x).second) twice = path;
  }
};

// Where the streams of random numbers stand.
std::vector<std::uint64_t> streams(const Subject& subject) {
  struct Positions : Visitor {
    std::vector<std::uint64_t> list;
    void on_generator(const std::string&, Generator& generator) override { list.push_back(generator.position()); }
  } found;
  subject.visit(found);
  return found.list;
}

// A file of its own for each call, removed at the end.
struct TemporaryFile {
  const std::filesystem::path path =
      std::filesystem::temp_directory_path() / fmt::format("regard_kit_{:x}.safetensors", std::random_device()());
  ~TemporaryFile() {
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
  }
};

ByName by_name(const Subject& subject) {
  ByName found;
  subject.visit(found);
  return found;
}

// The leaves that an output was made from and that want a gradient.
std::vector<Variable> leaves_of(const Variable& output) {
  std::vector<Variable> leaves;
  graph::for_each_ancestor({output}, [&](const Variable& x) {
    if (x.is_leaf() && x.requires_grad()) leaves.push_back(x);
    return true;
  });
  return leaves;
}

bool contains(const std::vector<Variable>& list, const Variable& x) {
  return std::any_of(list.begin(), list.end(), [&](const Variable& one) { return one.same_as(x); });
}

}  // namespace

std::string check_eval_is_train(const Variant& variant, const Subject&, const Trial& t) {
  const auto run = [&](double dropout, bool training) {
    const Subject subject = build(variant, dropout);
    training ? train(subject.visit) : eval(subject.visit);
    return subject.call(t.q, t.k, t.v, {}).output.value();
  };
  const Tensor plain = run(0, false);
  if (!identical(run(0, true), plain)) return "training with p = 0 differs from eval";
  if (!identical(run(0.5, false), plain)) return "eval with p = 0.5 differs from p = 0";
  const Subject subject = build(variant, 0.5);
  eval(subject.visit);
  const auto before = streams(subject);
  subject.call(t.q, t.k, t.v, {});
  return streams(subject) == before ? "" : "eval draws random numbers";
}

std::string check_dropout(const Variant& variant, const Subject&, const Trial& t) {
  const Subject subject = build(variant, 0.5);
  const AttentionOutput training = subject.call(t.q, t.k, t.v, {});
  eval(subject.visit);
  const AttentionOutput eval = subject.call(t.q, t.k, t.v, {});
  if (!identical(training.weights.value(), eval.weights.value())) return "the weights returned are those after dropout";
  return identical(training.output.value(), eval.output.value())
             ? "nothing was dropped in training (does the row hand `dropout` on?)"
             : "";
}

std::string check_saved(const Variant& variant, const Subject& subject, const Trial& t) {
  const Subject other = build(variant, 0, 8);
  const TemporaryFile file;
  save(subject.visit, file.path);
  load(other.visit, file.path);
  const Variable one = subject.call(t.q, t.k, t.v, {}).output, same = other.call(t.q, t.k, t.v, {}).output;
  return identical(one.value(), same.value()) ? "" : "an instance that loads what another saved gives another output";
}

// In f32, as the module was made: a parameter that is not listed would have been left behind by the step to f64.
std::string check_listed(const Variant& variant, const Subject&, const Trial& wide) {
  const auto narrow = [](const Variable& x) { return parameter(to(x.value(), DType::f32)); };
  const Variable q = narrow(wide.q), k = narrow(wide.k), v = narrow(wide.v);
  Generator generator(7);
  const Subject subject = variant.build(0, generator);
  const std::vector<Variable> leaves = leaves_of(subject.call(q, k, v, {}).output), listed = parameters(subject.visit);
  for (const Variable& leaf : leaves)
    if (!contains(listed, leaf) && !contains({q, k, v}, leaf))
      return fmt::format("a parameter {} takes part, but is not listed", leaf.shape());
  const ByName found = by_name(subject);
  if (!found.twice.empty()) return fmt::format("two parameters are called {}", found.twice);
  for (const auto& [name, parameter] : found.parameters)
    if (!contains(leaves, parameter)) return fmt::format("the parameter {} is listed, but takes no part", name);
  return "";
}

std::string check_formula(const Variant& variant, const Subject& subject, const Trial& t) {
  Variant::Parameters parameters;
  for (const auto& [name, parameter] : by_name(subject).parameters) parameters[name] = parameter.value();
  const Variable output = subject.call(t.q, t.k, t.v, {}).output;
  try {
    return differ("output", output, variant.formula(t.q.value(), t.k.value(), t.v.value(), parameters));
  } catch (const std::out_of_range& error) {
    std::string names;
    for (const auto& [name, parameter] : parameters) names += " " + name;
    return fmt::format("{}, in the formula; the parameters are called{}", error.what(), names);
  }
}

}  // namespace regard::nn::kit
