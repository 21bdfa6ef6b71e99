// Numbers that are taken out of the record, by item(), value() or detach(): where a result moves with them, no rule is
// to blame, and bisect must not say that all is well either.
#include "autograd/gradcheck/bisect/bisect.h"

#include "tests/autograd/leaf.h"
#include "tests/catch.h"

using namespace regard;

namespace {

using In = std::vector<Variable>;

In two_lists() { return {leaf({0.5, -1, 2, 0.25}), leaf({1, 0.75, -0.5, 2})}; }

double length(const Variable& x) { return sqrt(sum(square(x.value()))).item(); }

const std::string unrecorded =
    "it uses a number that moves unrecorded, by item(), value() or detach(): no gradient flows that way";

// Nothing is wrong, and one operation is not judged.
void check_only_cut(const BisectReport& report, std::size_t number, const std::string& op) {
  INFO(to_string(report));
  CHECK(report.all_agree());
  REQUIRE(report.not_judged.size() == 1);
  CHECK(report.not_judged[0].number == number);
  CHECK(report.not_judged[0].op->name == op);
  CHECK(report.not_judged[0].reason == unrecorded);
}

constexpr OpInfo scaled_info{"scaled", "a·c", "∂a = g·c"};

// c is held by the rule, and nobody knows where it comes from.
Variable scaled(const Variable& a, const Tensor& c, double mistake = 1) {
  return record(scaled_info, {a}, a.value() * c,
                [c, mistake](const Variable& g, const Saved&) { return gradients(mistake * g * Variable(c)); });
}

}  // namespace

TEST_CASE("bisect: a factor taken by item() from elsewhere in the function is listed") {
  const auto f = [](const In& in) {
    const Variable w = tanh(in[1]), scaled_by_length = in[0] * (1 / length(w));
    return sum(square(scaled_by_length)) + sum(w);
  };
  CHECK_FALSE(gradcheck(f, two_lists(), {.order = 1}).passed());
  check_only_cut(bisect(f, two_lists()), 2, "affine");
}

TEST_CASE("bisect: a factor taken by item() from what the input was made of is listed") {
  const auto f = [](const In& in) {
    const Variable u = sin(in[0]), w = tanh(u);
    return sum(square(w * (1 / length(u))));
  };
  check_only_cut(bisect(f, {two_lists()[0]}), 3, "affine");
}

TEST_CASE("bisect: a detached input that moves with values elsewhere in the function is listed") {
  const auto f = [](const In& in) {
    const Variable w = tanh(in[1]), total = sum(w), product = in[0] * detach(total);
    return sum(square(product)) + total;
  };
  check_only_cut(bisect(f, two_lists()), 3, "multiply");
}

TEST_CASE("bisect: a tensor from elsewhere that the rule of an operation holds is listed") {
  const auto f = [](const In& in) {
    const Variable w = tanh(in[1]), product = scaled(in[0], w.value());
    return sum(product) + sum(w);
  };
  check_only_cut(bisect(f, two_lists()), 2, "scaled");
}

// What an operation computes is not known. So nobody can tell whether such a number was cut off, or the rule is wrong.
TEST_CASE("bisect: a rule is blamed with a doubt if it holds what was made of its own input") {
  const auto check_doubt = [](const gradchecks::Function& f) {
    const BisectReport report = bisect(f, {two_lists()[0]});
    INFO(to_string(report));
    REQUIRE(report.wrong.size() == 1);
    CHECK(report.wrong[0].number == 2);
    CHECK(report.wrong[0].holds_what_moves);
    CHECK(to_string(report).ends_with(
        "\n  a number in it may move with its inputs: if item() or value() took it out, the rule may be right"));
  };
  check_doubt([](const In& in) {
    const Variable w = tanh(in[0]);
    return sum(square(scaled(w, exp(w.value()))));
  });
  check_doubt([](const In& in) {
    const Variable w = tanh(in[0]);
    return sum(square(w * (1 / length(w)) + 1));
  });
  check_doubt([](const In& in) {
    const Variable w = tanh(in[0]);
    return sum(square(w - max(w.value()).item()));
  });
  check_doubt([](const In& in) {
    const Variable w = exp(in[0]);
    return sum(pow(w, max(w.value()).item()));
  });
}

// The rule does not use the largest element, so nothing tells that it was taken out. No mistake explains the numbers.
TEST_CASE("bisect: an operation whose value holds its input's largest element is blamed, for none of the mistakes") {
  constexpr static OpInfo info{"below_largest", "x − max x", "∂x = g"};
  const auto f = [](const In& in) {
    const Tensor& x = in[0].value();
    return sum(exp(record(info, {in[0]}, x - max(x), [](const Variable& g, const Saved&) { return gradients(g); })));
  };
  const BisectReport report = bisect(f, {two_lists()[0]});
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].gradients[0].mistake.starts_with("it is none of the mistakes that are tried; "));
  CHECK_FALSE(report.wrong[0].holds_what_moves);
}

// The factor comes from elsewhere, and with it held the rule is wrong all the same.
TEST_CASE("bisect: a wrong rule is found beside a number that was taken out") {
  const auto f = [](const In& in) {
    const Variable w = tanh(in[1]);
    return sum(square(scaled(in[0], w.value(), 3))) + sum(w);
  };
  const BisectReport report = bisect(f, two_lists());
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].op == &scaled_info);
  REQUIRE(report.wrong[0].gradients.size() == 1);
  CHECK(report.wrong[0].gradients[0].mistake == "it is the right one times 3");
  CHECK_FALSE(report.wrong[0].holds_what_moves);
}

// regression_loss computes its gradient on the way, and its rule holds it. This is no cut: the gradient is all of it.
TEST_CASE("bisect: a rule may hold what was computed from the inputs, and is blamed if it is wrong") {
  constexpr static OpInfo info{"held", "Σ x³", "∂x = g·3x², held since the forward pass"};
  const auto with = [](double factor) {
    return [factor](const In& in) {
      const Variable x = tanh(in[0]);
      const Tensor held = factor * square(x.value());
      return record(info, {x}, sum(x.value() * square(x.value())),
                    [held](const Variable& g, const Saved&) { return gradients(g * Variable(held)); });
    };
  };
  CHECK(to_string(bisect(with(3), {two_lists()[0]})) == "0 of 2 operations are wrong");
  const BisectReport report = bisect(with(6), {two_lists()[0]});
  INFO(to_string(report));
  REQUIRE(report.wrong.size() == 1);
  CHECK(report.wrong[0].gradients[0].mistake == "it is the right one times 2");
}

TEST_CASE("bisect: forty operations with a number that was taken out are listed") {
  const auto f = [](const In& in) {
    const Variable w = tanh(in[1]);
    Variable h = in[0];
    for (int i = 0; i < 40; ++i) h = h * (1 + 0.01 * length(w));
    return sum(h) + sum(w);
  };
  const BisectReport report = bisect(f, two_lists());
  CHECK(report.all_agree());
  CHECK(report.not_judged.size() == 40);
  CHECK(report.evaluation_count <= 6 + 40 * 25);  // each is looked at by itself
}
