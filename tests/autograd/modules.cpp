#include "nn/tools/explain/modules.h"

#include "autograd/all.h"
#include "tests/autograd/leaf.h"
#include "tests/catch.h"

#include <algorithm>

namespace regard {
namespace {

// Each operation and its module: "tanh in a, add in ".
std::string told(const Variable& output, const std::vector<NamedParameter>& names) {
  const graph::Trace steps = graph::trace("test", output);
  const std::vector<ModulePath> modules = modules_of(steps, names);
  std::vector<std::string> words;
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (steps[i].op()) words.push_back(fmt::format("{} in {}", steps[i].op()->name, name_of(modules[i])));
  return join_words(words, ", ");
}

Variable weight() { return leaf({2, 3}); }

}  // namespace

TEST_CASE("modules: a path has a part for each name; a number belongs to the list that it counts") {
  CHECK(path_of("decoder.layers.0.attention") == ModulePath{"decoder", "layers.0", "attention"});
  CHECK(path_of("0.weight") == ModulePath{"0", "weight"});
  CHECK(path_of("net.1.2") == ModulePath{"net.1", "2"});
  CHECK(path_of("").empty());
  CHECK(name_of({"decoder", "layers.0"}) == "decoder.layers.0");
  CHECK(is_numbered("layers.10"));
  CHECK(is_numbered("3"));
  CHECK_FALSE(is_numbered("w1"));
}

TEST_CASE("modules: what uses a parameter is in its module; what stands between, in what both have in common") {
  const Variable x = leaf({1, 2}), a = weight(), b = weight(), c = weight();
  const std::vector<NamedParameter> names{{"m.a.w", a}, {"m.b.w", b}, {"n.w", c}};
  const Variable output = sum(exp(tanh(sin(x) * a) * b) * c);
  CHECK(told(output, names) == "sin in , multiply in m.a, tanh in m, multiply in m.b, exp in , multiply in n, sum in ");
}

TEST_CASE("modules: after a numbered child comes what it did last, up to the next that is known") {
  const Variable x = leaf({1, 2}), a = weight(), b = weight(), c = weight();
  const std::vector<NamedParameter> names{{"m.layers.0.w", a}, {"m.layers.1.w", b}, {"m.norm.w", c}};
  const Variable y = x + x * a;
  const Variable z = y + y * b;
  CHECK(told(tanh(z * c), names) ==
        "multiply in m.layers.0, add in m.layers.0, multiply in m.layers.1, add in m.layers.1, multiply in m.norm, "
        "tanh in ");
}

TEST_CASE("modules: an operation with parameters of two modules is in what they have in common") {
  const Variable a = weight(), b = weight(), x = leaf({1, 1});
  CHECK(told(a * b, {{"m.a.w", a}, {"m.b.w", b}}) == "multiply in m");
  CHECK(told(a * x, {{"m.a.w", a}, {"x", x}}) == "multiply in m.a");  // x is in no module, and tells of none
}

TEST_CASE("modules: one that is called again is found again, whatever was recorded in between") {
  const Variable x = leaf({1, 2}), a = weight(), b = weight();
  CHECK(told(((x * a) * b) * a, {{"m.w", a}, {"n.w", b}}) == "multiply in m, multiply in n, multiply in m");
}

}  // namespace regard
