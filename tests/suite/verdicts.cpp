#include "autograd/all.h"
#include "autograd/gradcheck/slopes.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <cmath>
#include <utility>

using namespace regard;
using In = std::vector<Variable>;

namespace {

constexpr OpInfo wrong_sin{"wrong_sin", "sin x", "∂x = −g·cos x"};
constexpr OpInfo wrong_element{"wrong_element", "2x", "∂x = 2g, but for one element"};
constexpr OpInfo wrong_log{"wrong_log", "log x", "∂x = 1.01·g/x"};
constexpr OpInfo wrong_second{"wrong_second", "x³", "∂x = 3x²·g, x² held constant"};

}  // namespace

TEST_CASE("PASS, with the numbers behind it") {
  const auto report = gradcheck([](const In& in) { return in[0] * in[1]; }, {f64({1, 2, 3}), f64({4, 5, 6})});
  CHECK(report.passed());
  CHECK(report.element_count == 6);
  CHECK(report.worst < 1e-8);
  CHECK(report.worst_second < 1e-8);
  CHECK_THAT(to_string(report), Catch::Matchers::StartsWith("(3)  (3)   6 elements   worst "));
  CHECK_THAT(to_string(report), Catch::Matchers::EndsWith("   PASS"));
}

TEST_CASE("what arrives in a check is drawn of both signs, and is never small") {
  Generator generator(1);
  const Tensor sorted = sort(gradchecks::random_cotangent({1000}, generator), 0);
  const auto below = static_cast<std::int64_t>(sum(less(sorted, 0)).item());
  const double ends[] = {-1.5, -0.5, 0.5, 1.5};
  const std::int64_t places[] = {0, below - 1, below, 999};
  for (std::size_t i = 0; i < 4; ++i) CHECK(sorted.at({places[i]}) == Approx(ends[i]).margin(0.02));
}

TEST_CASE("a report in words tells the worst of both orders") {
  GradcheckReport report;
  report.worst = 1e-9, report.worst_second = 2e-3;
  CHECK_THAT(to_string(report), Catch::Matchers::ContainsSubstring("worst 2.0e-03"));
  std::swap(report.worst, report.worst_second);
  CHECK_THAT(to_string(report), Catch::Matchers::ContainsSubstring("worst 2.0e-03"));
}

TEST_CASE("FAIL: a wrong sign") {
  const gradchecks::Function f = [](const In& in) {
    return record(wrong_sin, {in[0]}, sin(in[0].value()),
                  [](const Variable& grad, const Saved& saved) { return gradients(-(grad * cos(saved.input()))); });
  };
  const auto report = gradcheck(f, {f64({0.3, 0.5})});
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.worst == Approx(2).epsilon(1e-6));  // |−c − c| / |c|
  CHECK(report.worst_element.analytic == Approx(-report.worst_element.numeric));
}

TEST_CASE("FAIL: the first wrong element is enough for whoever wants no more than the verdict") {
  const gradchecks::Function f = [](const In& in) {
    return in[0] + record(wrong_sin, {in[1]}, sin(in[1].value()), [](const Variable& grad, const Saved& saved) {
             return gradients(-(grad * cos(saved.input())));
           });
  };
  const auto report = gradcheck(f, {f64({1, 2}), f64({0.3, 0.5})}, {.stop_at_failure = true});
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.element_count == 3);
}

TEST_CASE("FAIL: one wrong element of many is found, and named") {
  const gradchecks::Function f = [](const In& in) {
    return record(wrong_element, {in[0]}, multiply(in[0].value(), 2), [](const Variable& grad, const Saved&) {
      return gradients(2 * grad * Variable(reshape(tensor({1, 1, 1.001, 1}, DType::f64), grad.shape())));
    });
  };
  const auto report = gradcheck(f, {f64({1, 2, 3, 4})});
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.worst_element.input == 0);
  CHECK(report.worst_element.index == 2);
  CHECK_THAT(report.reason, Catch::Matchers::StartsWith("order 1, input 0 element 2: analytic "));
  const auto of_matrix = gradcheck(f, {tensor({1, 2, 3, 4}, {2, 2}, DType::f64)});
  CHECK_THAT(of_matrix.reason, Catch::Matchers::StartsWith("order 1, input 0 element [1, 0]: analytic "));
}

TEST_CASE("FAIL: the worst of several wrong elements is named") {
  const gradchecks::Function f = [](const In& in) {
    return record(wrong_element, {in[0]}, multiply(in[0].value(), 2), [](const Variable& grad, const Saved&) {
      return gradients(2 * grad * Variable(tensor({1.0001, 3, 1.001, 1}, DType::f64)));
    });
  };
  CHECK_THAT(gradcheck(f, {f64({1, 2, 3, 4})}).reason, Catch::Matchers::StartsWith("order 1, input 0 element 1: "));
}

TEST_CASE("FAIL: a wrong element is not hidden by a neighbour with a gradient a billion times as large") {
  const gradchecks::Function f = [](const In& in) {
    return record(wrong_element, {in[0]}, exp(in[0].value()), [](const Variable& grad, const Saved& saved) {
      return gradients(grad * saved.output * Variable(greater(saved.input(), 1.0)));
    });
  };
  CHECK(gradcheck([](const In& in) { return exp(in[0]); }, {f64({25, 0, -1})}).passed());
  CHECK(gradcheck(f, {f64({25, 0, -1})}).verdict == gradchecks::Verdict::fail);
}

TEST_CASE("FAIL: a rule that mixes up which gradient is wanted") {
  const auto swapped = [](const Variable& none) {
    return [none](const In& in) {
      return record(wrong_element, {in[0], in[1]}, multiply(in[0].value(), in[1].value()),
                    [none](const Variable& grad, const Saved& saved) {
                      return gradients(saved.wants(1) ? grad * saved.inputs[1] : none,
                                       saved.wants(0) ? grad * saved.inputs[0] : none);
                    });
    };
  };
  const In inputs{f64({1, 2}), f64({3, 4})};
  const auto report = gradcheck(swapped(zeros({2}, DType::f64)), inputs);
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.reason == "input 0 has another gradient when it is the only one to want one");
  const auto undefined = gradcheck(swapped({}), inputs);
  CHECK(undefined.verdict == gradchecks::Verdict::fail);
  CHECK_THAT(undefined.reason,
             Catch::Matchers::StartsWith("input 0 gets no gradient when it is the only one to want "
                                         "one: ") &&
                 Catch::Matchers::EndsWith("left the gradient of input 0 undefined, but it is wanted"));
}

TEST_CASE("FAIL: where no slope can be measured") {
  const auto report = gradcheck([](const In& in) { return softmax(in[0], 0); }, {f64({1, -INFINITY})});
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.reason == "input 0 holds -inf, where no slope can be measured");
}

TEST_CASE("large values and small slopes are told from rounding") {
  CHECK(gradcheck([](const In& in) { return in[0] + 1e6; }, {f64({1, 2})}).passed());
  CHECK(gradcheck([](const In& in) { return 1e-9 * in[0]; }, {f64({1, 2})}).passed());
  CHECK(gradcheck([](const In& in) { return log(in[0]); }, {f64({0.003, 1})}).passed());
  CHECK(gradcheck([](const In& in) { return sqrt(in[0]); }, {f64({1e-3, 1})}).passed());
}

TEST_CASE("a check works inside NoGrad, and with the most axes there can be") {
  NoGrad guard;
  CHECK(gradcheck([](const In& in) { return exp(in[0]); }, {f64({1, 2})}).passed());
  const Variable six(reshape(linspace(0, 1, 4, DType::f64), {1, 2, 1, 1, 1, 2}));
  CHECK(gradcheck([](const In& in) { return exp(in[0]); }, {six}, {.layout = gradchecks::Layout::strided}).passed());
}

TEST_CASE("FAIL at second order only") {
  const gradchecks::Function f = [](const In& in) {
    return record(wrong_second, {in[0]}, pow(in[0].value(), 3), [](const Variable& grad, const Saved& saved) {
      return gradients(grad * (3 * square(detach(saved.input()))));
    });
  };
  CHECK(gradcheck(f, {f64({0.5, -1})}, {.order = 1}).passed());
  const auto report = gradcheck(f, {f64({0.5, -1})});
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK_THAT(report.reason, Catch::Matchers::StartsWith("order 2, input 0 element 0: analytic 0, numeric "));
}

TEST_CASE("FAIL: a gradient that is not a number") {
  const auto report = gradcheck([](const In& in) { return sqrt(square(in[0])); }, {f64({0.0})}, {.order = 1});
  CHECK(report.verdict != gradchecks::Verdict::pass);  // 0 · ∞
  CHECK(std::isinf(report.worst));
}

TEST_CASE("FAIL: a function that is not one") {
  Generator generator(1);
  const auto noisy = [&](const In& in) { return in[0] * Variable(normal({2}, generator, 0, 1, DType::f64)); };
  const auto report = gradcheck(noisy, {f64({1, 2})});
  CHECK(report.verdict == gradchecks::Verdict::fail);
  CHECK(report.reason == "the function gives different results when called twice (give it a fixed Generator)");
}

TEST_CASE("VACUOUS: the sum of a softmax has no gradient to check") {
  const auto report = gradcheck([](const In& in) { return sum(softmax(in[0], -1)); }, {f64({{1, 2, 3}, {1, 0, 1}})});
  CHECK(report.verdict == gradchecks::Verdict::vacuous);
  CHECK(report.reason == "input 0: analytic and numeric gradients are both 0");
}

TEST_CASE("VACUOUS: an input without influence, without elements, or no input at all") {
  const auto ignores = gradcheck([](const In& in) { return 1.0 * in[1]; }, {f64({1}), f64({2})});
  CHECK(ignores.verdict == gradchecks::Verdict::vacuous);
  CHECK(ignores.reason == "input 0: analytic and numeric gradients are both 0");
  const auto empty = gradcheck([](const In& in) { return exp(in[0]); }, {Variable(zeros({0, 3}, DType::f64))});
  CHECK(empty.verdict == gradchecks::Verdict::vacuous);
  CHECK(empty.reason == "input 0 has no elements");
  const auto constant = gradcheck([](const In& in) { return exp(detach(in[0])); }, {f64({1})});
  CHECK(constant.verdict == gradchecks::Verdict::vacuous);
  CHECK(constant.reason == "the result depends on no f64 input");
}

TEST_CASE("KINK: on it, and closer to it than the step") {
  const gradchecks::Function corner = [](const In& in) { return relu(in[0]); };
  for (const double x : {0.0, 1e-6, -1e-6}) {
    const auto report = gradcheck(corner, {f64({1.0, x, -1.0})});
    CHECK(report.verdict == gradchecks::Verdict::kink);
    CHECK_THAT(report.reason, Catch::Matchers::StartsWith("input 0 element 1: the slope is "));
  }
  CHECK(gradcheck(corner, {f64({1.0, 1e-3, -1.0})}).passed());
}

// The first slopes are measured over ±6e-6.
TEST_CASE("KINK: wherever the step reaches over it, and nowhere else") {
  const gradchecks::Function corner = [](const In& in) { return sin(in[0]) + abs(in[0]); };
  for (const double share : {0.01, 0.05, 0.06, 0.07, 0.1, 0.2, 0.33, 0.4, 0.49, 0.51, 0.6, 0.7, 0.8, 0.9, 0.99})
    for (const double sign : {-1.0, 1.0}) {
      INFO(share * sign << " of a step away");
      CHECK(gradcheck(corner, {f64({1.0, share * sign * 6e-6})}).verdict == gradchecks::Verdict::kink);
    }
  for (const double steps : {1.01, 1.5, 3.0, 10.0, 100.0})
    for (const double sign : {-1.0, 1.0}) CHECK(gradcheck(corner, {f64({1.0, steps * sign * 6e-6})}).passed());
}

TEST_CASE("KINK: noticed even where the analytic value is the mean of both slopes") {
  CHECK(gradcheck([](const In& in) { return abs(in[0]); }, {f64({0.0})}).verdict == gradchecks::Verdict::kink);
}

// x·|x| has the slope 2|x|, and softsign x/(1 + |x|) the slope 1/(1 + |x|)². Both slopes have a kink at 0.
TEST_CASE("a slope is right where the curvature jumps; of the second order this is said") {
  const auto square_with_sign = [](const In& in) { return in[0] * abs(in[0]); };
  const auto softsign = [](const In& in) { return in[0] / (1 + abs(in[0])); };
  for (const gradchecks::Function& f : {gradchecks::Function(square_with_sign), gradchecks::Function(softsign)}) {
    CHECK(gradcheck(f, {f64({0.0, 1.0})}, {.order = 1}).passed());
    const auto report = gradcheck(f, {f64({0.0, 1.0})});
    CHECK(report.verdict == gradchecks::Verdict::kink);
    CHECK(report.worst < 1e-6);
    CHECK_THAT(report.reason, Catch::Matchers::StartsWith("order 2, input 0 element 0: the slope of the gradient is "));
  }
}

TEST_CASE("a function that differentiates inside is checked like any other") {
  const auto penalty = [](double factor) {
    return [factor](const In& in) {
      const Variable slope = grad({sum(tanh(matmul(in[0], in[1])))}, {in[0]}, {.create_graph = true})[0];
      return mean(square(factor == 1 ? slope : detach(slope) * factor + slope * (1 - factor)));
    };
  };
  const In inputs{f64({{0.1, -0.4, 0.3}, {1, 0.2, -0.7}}), f64({0.5, -1, 0.8})};
  const auto report = gradcheck(penalty(1), inputs);
  CHECK(report.passed());
  CHECK(report.order == 2);
  CHECK(gradcheck(penalty(0.01), inputs).verdict == gradchecks::Verdict::fail);
}

// Rounding inside: softmax of large numbers, and 1 + erf far to the left. Each is right, and called so.
TEST_CASE("cancellation inside a function is measured, and not taken for a wrong gradient") {
  CHECK(gradcheck([](const In& in) { return softmax(in[0], -1); }, {f64({9.3, -4.1, 12.2, 0.7})}).passed());
  CHECK(gradcheck([](const In& in) { return in[0] * (1 + erf(in[0])); }, {f64({-3.9, -4.2, 1})}).passed());
  CHECK(gradcheck([](const In& in) { return (in[0] + 1e7) - 1e7; }, {f64({0.3, 0.4})}, {.order = 1}).passed());
}

TEST_CASE("VACUOUS: nothing could be told where the noise is as large as the gradient") {
  const auto drowned = [](const In& in) { return (1e-6 * in[0] + 1e8) - 1e8; };
  const auto report = gradcheck(drowned, {f64({0.3, 0.4})}, {.order = 1});
  CHECK(report.verdict == gradchecks::Verdict::vacuous);
  CHECK_THAT(report.reason, Catch::Matchers::StartsWith("input 0: nothing could be told"));
}

TEST_CASE("VACUOUS: a second derivative that is as small as the noise, beside one that is not") {
  const auto drowned = [](const In& in) { return square(in[0]) + in[1] + in[1] * ((1e-7 * in[1] + 1e8) - 1e8); };
  const In inputs{f64({0.3, 0.4}), f64({0.5, 0.6})};
  CHECK(gradcheck(drowned, inputs, {.order = 1}).passed());
  const auto report = gradcheck(drowned, inputs);
  CHECK(report.verdict == gradchecks::Verdict::vacuous);
  CHECK_THAT(report.reason, Catch::Matchers::StartsWith("order 2, input 1: nothing could be told"));
}

// 1 − 10⁻¹⁶·x lies between two f64 numbers, and is rounded to the same one of them while x moves by a tenth. So the
// factor behind 10⁶·x is a constant, and the samples lie on a straight line. Its slope is about half of what is right.
TEST_CASE("VACUOUS: rounding inside that does not jump from sample to sample") {
  const auto shade = [](const In& in) { return 1e6 * in[0] * (1 - (1 - 1e-16 * in[0])); };
  const auto report = gradcheck(shade, {f64({1.3, 2.1})}, {.order = 1});
  CHECK(report.verdict == gradchecks::Verdict::vacuous);
  CHECK_THAT(report.reason, Catch::Matchers::StartsWith("input 0: nothing could be told"));
}

TEST_CASE("names of inputs are those of the report") {
  const auto wrong = [](const In& in) { return in[0] * detach(in[1]) + 1e-3 * in[1]; };
  const auto report = gradcheck(wrong, {f64({1, 2}), f64({3, 4})}, {.names = {"x", "weight"}});
  CHECK_THAT(report.reason, Catch::Matchers::StartsWith("order 1, weight element "));
}

TEST_CASE("steep and curved is not kinked") {
  CHECK(gradcheck([](const In& in) { return log(in[0]); }, {f64({0.005, 1})}, {.order = 1}).passed());
  CHECK(gradcheck([](const In& in) { return square(in[0]); }, {f64({1e-9, 1})}, {.order = 1}).passed());
  CHECK(gradcheck([](const In& in) { return exp(8 * in[0]); }, {f64({1, -1})}).passed());
}

TEST_CASE("a function may bend within the first steps, or end there") {
  for (const double x : {5e-5, 2e-5, 1e-5, 6.5e-6, 6e-6, 3e-6, 1e-7, 1e-9}) {
    INFO(x);
    CHECK(gradcheck([](const In& in) { return log(in[0]); }, {f64({x, 1})}, {.order = 1}).passed());
    CHECK(gradcheck([](const In& in) { return sqrt(in[0]); }, {f64({x, 1})}, {.order = 1}).passed());
    const auto wrong = [](const In& in) {
      return record(wrong_log, {in[0]}, log(in[0].value()),
                    [](const Variable& g, const Saved& saved) { return gradients(1.01 * g / saved.inputs[0]); });
    };
    CHECK(gradcheck(wrong, {f64({x, 1})}, {.order = 1}).verdict == gradchecks::Verdict::fail);
  }
}

// x·((x + 10⁹) − 10⁹) is x². Over narrow steps the second factor stands still, as the sum is rounded.
TEST_CASE("a factor that rounding holds still over narrow steps does not excuse a rule that takes it for a constant") {
  const auto factor = [](const Variable& x) { return (x + 1e9) - 1e9; };
  const auto square_of = [&](const In& in) {
    return record(wrong_second, {in[0]}, (in[0] * factor(in[0])).value(),
                  [=](const Variable& g, const Saved& saved) { return gradients(g * factor(saved.inputs[0])); });
  };
  CHECK(gradcheck(square_of, {f64({0.25})}, {.order = 1}).verdict == gradchecks::Verdict::fail);
}

TEST_CASE("FLOAT32 is refused: as input, as result, and on the way") {
  const auto report = gradcheck([](const In& in) { return exp(in[0]); }, {Variable(tensor({1, 2}))});
  CHECK(report.verdict == gradchecks::Verdict::float32);
  CHECK(report.reason == "an input is f32: its rounding hides wrong gradients; convert it with to(x, DType::f64)");
  const auto inside = gradcheck([](const In& in) { return exp(to(in[0], DType::f32)); }, {f64({1, 2})});
  CHECK(inside.verdict == gradchecks::Verdict::float32);
  const auto between =
      gradcheck([](const In& in) { return to(exp(to(in[0], DType::f32)), DType::f64); }, {f64({1, 2})});
  CHECK(between.verdict == gradchecks::Verdict::float32);
  CHECK(inside.reason == "the function computes in f32: its rounding hides wrong gradients; compute in f64");
}

TEST_CASE("a failure outweighs a kink, and a kink a vacuous input") {
  const auto kink = gradcheck([](const In& in) { return relu(in[0]) + 0.0 * in[1]; }, {f64({0}), f64({1})});
  CHECK(kink.verdict == gradchecks::Verdict::kink);
  const auto fail = gradcheck(
      [](const In& in) {
        return relu(in[0]) + record(wrong_sin, {in[1]}, sin(in[1].value()),
                                    [](const Variable& g, const Saved&) { return gradients(3 * g); });
      },
      {f64({0}), f64({1})});
  CHECK(fail.verdict == gradchecks::Verdict::fail);
}

TEST_CASE("an order that does not exist is refused") {
  CHECK_THROWS_WITH(gradcheck([](const In& in) { return in[0]; }, {f64({1})}, {.order = 3}),
                    "gradcheck: order 3 is neither 1 nor 2");
}

TEST_CASE("the power check itself reports what goes unnoticed") {
  // The first input has no influence, so nothing that is done to its gradient can show.
  const gradchecks::Function ignores_first = [](const std::vector<Variable>& in) { return 0.0 * in[0] + in[1]; };
  const std::vector<Variable> inputs{tensor({1, 2}, DType::f64), tensor({3, 4}, DType::f64)};
  const std::vector<std::string> expected{"input 0: a gradient of order 1 multiplied by 0",
                                          "input 0: a gradient of order 1 multiplied by 1.01"};
  CHECK(power_check(ignores_first, inputs, {.order = 1}) == expected);
}
