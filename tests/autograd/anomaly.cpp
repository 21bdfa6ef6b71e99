#include "nn/tools/anomaly/anomaly.h"
#include "autograd/all.h"
#include "tests/catch.h"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

using namespace regard;

namespace anomaly_test {

constexpr double infinity = std::numeric_limits<double>::infinity();

// What anomaly mode says of a computation; empty if it says nothing.
template <class Compute>
std::string story(const Compute& compute, const std::vector<NamedParameter>& names = {}) {
  AnomalyMode watch(names);
  try {
    compute();
  } catch (const ValueError& error) {
    return error.what();
  }
  return "";
}

}  // namespace anomaly_test

using anomaly_test::infinity;
using anomaly_test::story;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

TEST_CASE("outside anomaly mode a NaN travels on") { CHECK(is_nan(log(Variable(tensor({-1.0})))).item() == 1); }

TEST_CASE("anomaly mode names the operation that made the first NaN, from which element, and where") {
  Variable a = parameter(tensor({1, 2})), b = parameter(tensor({0, 3}));
  CHECK_THAT(story([&] { exp(log(a - b)); }),
             StartsWith("anomaly: 'log' (log x) made the first NaN: element (1) of its result f32 (2) is NaN\n"
                        "  from input 0 f32 (2): −1 at (1)\n"
                        "  what usually helps: a number below 0 has no logarithm"));
}

TEST_CASE("anomaly mode names the operation that made the first infinity") {
  const Variable x(tensor({1, 2, 3, 4, 0, 5}, {3, 2}));
  CHECK_THAT(
      story([&] { log(x); }),
      StartsWith("anomaly: 'log' (log x) made the first infinity: element (2, 0) of its result f32 (3, 2) is −∞\n"
                 "  from input 0 f32 (3, 2): 0 at (2, 0)\n") &&
          ContainsSubstring("log_softmax"));
}

TEST_CASE("a NaN that came from outside is told apart") {
  const Variable x(tensor({1, std::nan("")}));
  CHECK_THAT(story([&] { 2 * x; }),
             StartsWith("anomaly: 'affine' (c·x + d) received and returned NaN: element (1) of its result f32 (2) is "
                        "NaN\n  from input 0 f32 (2): NaN at (1)\n"));
}

TEST_CASE("operands are read where the element was made from") {
  const Variable a(tensor({1, 2, 3, 4}, {2, 2})), b(tensor({1, 0}));
  CHECK_THAT(story([&] { a / b; }),
             StartsWith("anomaly: 'divide' (a / b) made the first infinity: element (0, 1) of its result f32 (2, 2) is "
                        "∞\n  from input 0 f32 (2, 2): 2 at (0, 1)\n  from input 1 f32 (2, 2): 0 at (0, 1)\n") &&
                 ContainsSubstring("a division by 0"));
  CHECK_THAT(story([&] { (a - a) / b; }), ContainsSubstring("0/0 is NaN"));
}

TEST_CASE("of a product the row and the column are told, of a sum what fell onto the element") {
  const Variable a(tensor({1, 2, 1e30, -3}, {2, 2})), b(tensor({1, 1e30, 2, 4}, {2, 2}));
  CHECK_THAT(
      story([&] { matmul(a, b); }),
      StartsWith("anomaly: 'matmul' (A·B) made the first infinity: element (1, 1) of its result f32 (2, 2) is ∞\n"
                 "  from input 0 f32 (2, 2): −3 to 1e+30 in (1, :)\n"
                 "  from input 1 f32 (2, 2): 4 to 1e+30 in (:, 1)\n") &&
          ContainsSubstring("learning rate"));
  const Variable w(tensor({1e30, 1, 2, 4}, {2, 2}));
  CHECK_THAT(story([&] {
               linear(a, w, Variable(tensor({5, 7})));
             }),  // row i of w makes column i of the result
             StartsWith("anomaly: 'linear' (x·Wᵀ + b) made the first infinity: element (1, 0) of its result") &&
                 ContainsSubstring("input 0 f32 (2, 2): −3 to 1e+30 in (1, :)") &&
                 ContainsSubstring("input 1 f32 (2, 2): 1 to 1e+30 in (0, :)") &&
                 ContainsSubstring("input 2 f32 (2): 5 at (0)"));
  const Variable large(tensor({1, 3e38, 2, 4, 3e38, 6}, {2, 3}));
  CHECK_THAT(story([&] { sum(large, 0); }), ContainsSubstring("element (1) of its result f32 (3) is ∞\n"
                                                              "  from input 0 f32 (2, 3): 3e+38 to 3e+38 in (:, 1)"));
}

TEST_CASE("where the shapes do not tell which elements were read, all of the input is told") {
  const double nan = std::nan("");
  const Variable x(tensor({1, nan, 3, 4}, {2, 2})), large(tensor({3e38, 3e38, -1, 2}, {2, 2}));
  const auto tells_of_all = [&](const auto& compute) {
    CHECK_THAT(story(compute), ContainsSubstring("\n  from input 0 f32 (2, 2): 1 to 4 in (:, :), and 1 NaN\n"));
  };
  tells_of_all([&] { transpose(x); });
  tells_of_all([&] { permute(x, {1, 0}); });
  tells_of_all([&] { flip(x, 1); });
  tells_of_all([&] { gather(x, 1, tensor({1, 1, 0, 0}, {2, 2}, DType::i64)); });
  CHECK_THAT(story([&] { cumsum(large, 1); }), ContainsSubstring("element (0, 1) of its result f32 (2, 2) is ∞\n"
                                                                 "  from input 0 f32 (2, 2): −1 to 3e+38 in (:, :)\n"));
}

TEST_CASE("a row in which all is masked is named, and how to mask it") {
  const Variable scores(tensor({1, 2, -infinity, -infinity}, {2, 2}));
  CHECK_THAT(story([&] { softmax(scores, -1); }),
             StartsWith("anomaly: 'softmax' (eˣ / Σ eˣ) made the first NaN: element (1, 0) of its result f32 (2, 2) is "
                        "NaN\n  from input 0 f32 (2, 2): −∞ to −∞ in (1, :)\n") &&
                 ContainsSubstring("masked_softmax"));
}

TEST_CASE("the row of a softmax is told along its own axis; where all is NaN, everything") {
  const Variable x(tensor({1, 2, 3, 4, std::nan(""), 6}, {2, 3}));
  const auto from = [&](const Variable& scores, int axis, const char* place) {
    CHECK_THAT(story([&] { softmax(scores, axis); }), ContainsSubstring(place));
    CHECK_THAT(story([&] { log_softmax(scores, axis); }), ContainsSubstring(place));
  };
  from(x, 1, "\n  from input 0 f32 (2, 3): 4 to 6 in (1, :), and 1 NaN\n");
  from(x, 0, "\n  from input 0 f32 (2, 3): 2 to 2 in (:, 1), and 1 NaN\n");
  const Variable both(tensor({1, std::nan(""), std::nan(""), 1}, {2, 2}));
  from(both, 1, "\n  from input 0 f32 (2, 2): 1 to 1 in (:, :), and 2 NaN\n");
}

TEST_CASE("an exp that overflows is told the bound of its dtype") {
  const auto exp_of = [](double x, DType dtype) { return story([&] { exp(Variable(tensor({x}, dtype))); }); };
  CHECK_THAT(exp_of(89, DType::f32), ContainsSubstring("89 at (0)") && ContainsSubstring("88.7 in f32"));
  CHECK(exp_of(88, DType::f32).empty());
  CHECK(exp_of(709, DType::f64).empty());
  CHECK_THAT(exp_of(710, DType::f64), ContainsSubstring("made the first infinity"));
}

TEST_CASE("what usually helps is told for each cause") {
  const auto helps = [](const auto& compute, const char* words) {
    CHECK_THAT(story(compute), ContainsSubstring("what usually helps: ") && ContainsSubstring(words));
  };
  const auto x = [](double a, double b) { return parameter(tensor({a, b}, DType::f64)); };
  helps([&] { sqrt(x(1, -1)); }, "a number below 0 has no square root: a variance");
  helps([&] { rsqrt(x(1, 0)); }, "1/√0 is ∞");
  helps([&] { pow(x(1, 0), x(1, -1)); }, "0 to a power below 0 is ∞");
  helps([&] { pow(x(1, -2), x(1, 0.5)); }, "a number below 0 has only whole powers");
  helps([&] { sum(sqrt(x(0, 1))).backward(); }, "√x has slope ∞ at 0");
  helps([&] { sum(pow(x(0, 1), x(0.5, 1))).backward(); }, "its slope is ∞ for a power below 1");
  helps([&] { to(x(1, 1e300), DType::f32); }, "the largest f32 is 3.4e38");
  helps([&] { log_softmax(Variable(tensor({-infinity, -infinity})), 0); }, "leave such rows out of the loss");
  helps([&] { softmax(Variable(tensor({1, infinity})), 0); }, "a score of ∞ has no softmax");
  helps([&] { Variable(tensor({infinity, 1})) - Variable(tensor({infinity, 2})); }, "∞ − ∞, 0·∞ and ∞/∞ are NaN");
  helps([&] { 2 * Variable(tensor({1, std::nan("")})); }, "no operation that was watched made it");
  helps([&] { square(x(1, 1e200)); }, "the numbers grew beyond the largest f32");
  helps([&] { sum(1e200 * (1e200 * x(1, 2))).backward(); }, "the numbers grew");
  helps(
      [&] {
        const Variable y = x(1, 1);
        (y * 1e200).backward({.gradient = Variable(tensor({1, 1e200}, DType::f64))});
      },
      "the gradient grew too large");
}

TEST_CASE("an infinity that is there on purpose is no anomaly") {
  const Variable x = parameter(tensor({1, 2, 3, 4}, {2, 2}));
  CHECK(story([&] {
          sum(softmax(masked_fill(x, Variable(tensor({0, 1, 0, 0}, {2, 2})).value(), -infinity), -1)).backward();
          sum(softmax(x + Variable(tensor({0, -infinity, 0, 0}, {2, 2})), -1)).backward();
          sum(max(pad(x, {{1, 1}, {}}, -infinity), 0)).backward();
        }).empty());
}

TEST_CASE("an infinity that is made beside those of a mask is told, at the element where it was made") {
  const Variable scores(tensor({100, 1, -infinity}));
  CHECK_THAT(story([&] { exp(scores); }),
             StartsWith("anomaly: 'exp' (eˣ) made the first infinity: element (0) of its result f32 (3) is ∞\n"
                        "  from input 0 f32 (3): 100 at (0)\n"));
  CHECK_THAT(story([&] {
               square(Variable(tensor({-infinity, 1, 1e30})));
             }),
             ContainsSubstring("element (2) of its result f32 (3) is ∞\n  from input 0 f32 (3): 1e+30 at (2)\n"));
  const Variable column(tensor({1, 3e38}, {2, 1})), row(tensor({-infinity, 3e38}));
  CHECK_THAT(story([&] { column + row; }), ContainsSubstring("element (1, 1) of its result f32 (2, 2) is ∞\n"));
  CHECK(story([&] { column + Variable(tensor({-infinity, 1})); }).empty());
}

TEST_CASE("gradients that add up to an infinity are told as such") {
  const Variable w = parameter(tensor({1e-30, 1e-30}));
  const Variable loss = sum(w * 2e38 - w * -2e38);
  CHECK_THAT(story([&] { loss.backward({.keep_graph = true}); }, {{"scale", w}}),
             StartsWith("anomaly: gradients that arrive from several uses add up to the first infinity: element (0) of "
                        "the gradient of the leaf f32 (2) 'scale' is ∞\n  from what had arrived so far: 2e+38 at (0), "
                        "and what came next: 2e+38 at (0)\n  what usually helps: the gradient grew too large"));
  const Variable y = w * 2;
  CHECK_THAT(story([&] { sum(y * 2e38 + y * 3e38).backward(); }),
             ContainsSubstring("the gradient of the result f32 (2) of 'affine' (c·x + d) is ∞\n"));
  const Variable z = w * 2e38;  // over two passes
  CHECK_THAT(story([&] {
               sum(z).backward({.keep_graph = true});
               sum(z).backward();
             }),
             StartsWith("anomaly: gradients that arrive from several uses add up"));
}

TEST_CASE("anomaly modes may end in any order") {
  auto first = std::make_unique<AnomalyMode>(), second = std::make_unique<AnomalyMode>();
  first.reset();
  CHECK(newest_observer == second.get());
  second.reset();
  CHECK(newest_observer == nullptr);
}

TEST_CASE("anomaly mode names the rule that made the first infinity, and where its operation was recorded") {
  Variable x = parameter(tensor({3, 0}));  // √ has slope ∞ at 0; a step later ∞ · 0 would be NaN
  CHECK_THAT(
      story([&] { sum(sqrt(square(x))).backward(); }),
      StartsWith("anomaly: the rule of 'sqrt' (∂x = g/(2y)) made the first infinity: element (1) of the gradient "
                 "of input 0 f32 (2) is ∞\n"
                 "  from input 0 f32 (2): 0 at (1)\n"
                 "  with the result: 0 at (1), and the gradient that arrives: 1 at (1)\n"
                 "  what usually helps: ") &&
          ContainsSubstring("sqrt(x + ε)"));
}

TEST_CASE("a gradient that is not finite when a backward pass starts is told") {
  const Variable x = parameter(tensor({1, 2}));
  const Variable nan(tensor({1, std::nan("")}));
  CHECK_THAT(story([&] { (2 * x).backward({.gradient = nan}); }),
             StartsWith("anomaly: the gradient given to backward is not finite: element (1) of the gradient of the "
                        "result f32 (2) of 'affine' (c·x + d) is NaN"));
  CHECK_THAT(
      story([&] {
        grad({2 * x}, {x}, {.gradients = {Variable(tensor({-infinity, 1}))}});
      }),
      StartsWith("anomaly: the gradient given to grad is not finite: element (0)") && ContainsSubstring(" is −∞\n"));
  CHECK_THAT(story([&] { x.backward({.gradient = nan}); }, {{"scale", x}}),
             StartsWith("anomaly: the gradient given to backward is not finite: element (1) of the gradient of the "
                        "leaf f32 (2) 'scale' is NaN\n"));
  CHECK(story([&] { (2 * x).backward({.gradient = Variable(tensor({1, 2}))}); }).empty());
}

TEST_CASE("a hook that returns what is not finite is told, on results and on leaves") {
  const Variable x = parameter(tensor({1, 2}));
  const Variable y = 2 * x;
  const int first = y.on_gradient([](const Variable&) { return Variable(tensor({1, std::nan("")})); });
  CHECK_THAT(story([&] { sum(y).backward({.keep_graph = true}); }),
             StartsWith("anomaly: a hook returned the first NaN: element (1) of the gradient of the result f32 (2) of "
                        "'affine' (c·x + d) is NaN\n  from the gradient that arrived: 1 at (1)"));
  y.remove_hook(first);
  x.on_gradient([](const Variable&) { return Variable(tensor({infinity, 0})); });
  CHECK_THAT(story([&] { sum(y).backward(); }, {{"scale", x}}),
             StartsWith("anomaly: a hook returned the first infinity: element (0) of the gradient of the leaf f32 (2) "
                        "'scale' is ∞\n  from the gradient that arrived: 2 at (0)"));
}

TEST_CASE("an operation is named after the module of the parameters nearest before it") {
  Variable x(tensor({1, 1}, {1, 2}));
  Variable w = parameter(tensor({1, 0, 0, 0}, {2, 2})), q = parameter(tensor({1, 0, 0, 1}, {2, 2})),
           k = parameter(tensor({0, 0, 0, 0}, {2, 2}));
  const std::vector<NamedParameter> names{
      {"layers.0.w.weight", w}, {"layers.1.w_q.weight", q}, {"layers.1.w_k.weight", k}};
  CHECK_THAT(story([&] { log(relu(linear(x, w))); }, names),
             ContainsSubstring("\n  recorded in module 'layers.0.w' or behind it (layers.0.w.weight)\n"));
  CHECK_THAT(
      story(
          [&] {
            const Variable h = linear(x, w);
            log(linear(h, q) * linear(h, k));
          },
          names),
      ContainsSubstring("\n  recorded in module 'layers.1' or behind it (layers.1.w_q.weight, layers.1.w_k.weight)\n"));
  CHECK_THAT(story([&] { log(w); }, names),
             ContainsSubstring("from input 0 f32 (2, 2) 'layers.0.w.weight': 0 at (0, 1)"));
  CHECK_THAT(story(
                 [&] {
                   const NoGrad no_grad;  // nothing is recorded, so the last use is all that is known
                   log(linear(x, w));
                 },
                 names),
             ContainsSubstring("\n  recorded after 'layers.0.w.weight' was used\n"));
  CHECK_THAT(story([&] { sum(sqrt(relu(linear(x, w)))).backward(); }, names),
             ContainsSubstring("the rule of 'sqrt'") && ContainsSubstring("in module 'layers.0.w' or behind it"));
}

TEST_CASE("a parameter that is not finite is blamed, and the step that made it so") {
  Variable w = parameter(tensor({1, infinity}));
  CHECK_THAT(story([&] { 2 * w; }, {{"scale", w}}),
             StartsWith("anomaly: 'affine' (c·x + d) was given a parameter that is not finite: ") &&
                 ContainsSubstring("from input 0 f32 (2) 'scale': ∞ at (1)") &&
                 ContainsSubstring("a step of the optimizer"));
}

TEST_CASE("a NaN that a rule makes and masks is no anomaly") {
  AnomalyMode watch;
  Variable a = parameter(tensor({0.0}, DType::f64)), b = parameter(tensor({0.0}, DType::f64));
  CHECK_NOTHROW(sum(pow(a, b)).backward());
}

TEST_CASE("anomaly mode ends with its guard, also after an exception") {
  CHECK_THROWS([] {
    AnomalyMode watch;
    log(Variable(tensor({-1.0})));
  }());
  CHECK_NOTHROW(log(Variable(tensor({-1.0}))));
}

TEST_CASE("a watched computation gives the same values") {
  Variable x = parameter(tensor({0.5, 1.5}));
  sum(tanh(x)).backward();
  const Tensor plain = x.gradient().value();
  x.clear_gradient();
  AnomalyMode watch;
  sum(tanh(x)).backward();
  CHECK(identical(x.gradient().value(), plain));
}

TEST_CASE("of an operation that uses parameters no others are told") {
  Variable x(tensor({1, 1}, {1, 2})), v = parameter(tensor({1, 0, 0, 1}, {2, 2})),
                                      w = parameter(tensor({1, 0, 0, 1}, {2, 2}));
  const ParameterNames names({{"a.weight", v}, {"b.weight", w}});
  const Variable y = linear(linear(x, v), w);
  CHECK(names.nearest(y.node()->inputs) == std::vector<std::string>{"b.weight"});
  CHECK(names.nearest(relu(y).node()->inputs) == std::vector<std::string>{"b.weight"});
  CHECK(names.nearest((relu(y) + x).node()->inputs) == std::vector<std::string>{"b.weight"});  // x was made by none
  CHECK(names.nearest((y + linear(x, v)).node()->inputs) == std::vector<std::string>{"a.weight", "b.weight"});
  const Variable h = linear(x, v);  // which w is applied to, so that v is further away
  CHECK(names.nearest((h + relu(linear(relu(h), w))).node()->inputs) == std::vector<std::string>{"b.weight"});
}

TEST_CASE("the module of parameters is the longest path that they have in common") {
  CHECK(module_of({"head.weight"}) == "head");
  CHECK(module_of({"head.weight", "head.bias"}) == "head");
  CHECK(module_of({"layers.1.w.weight", "layers.10.w.weight"}) == "layers");
  CHECK(module_of({"a.weight", "b.weight"}).empty());
  CHECK(module_of({"weight"}).empty());
  CHECK(module_of({}).empty());
}
