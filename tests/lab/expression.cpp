#include "examples/lab/expression.h"

#include "autograd/backward.h"
#include "tensor/create.h"
#include "tests/catch.h"

#include <cmath>

using namespace regard;
using lab::Expression;

namespace {

const std::vector<std::string> names{"q", "k", "D"};

Variable at(double x) { return parameter(full({}, x, DType::f64)); }

double value_of(const std::string& text, double q = 0, double k = 0, double d = 4) {
  return Expression(text, names).values({{"q", at(q)}, {"k", at(k)}, {"D", at(d)}}).back().item();
}

std::string error_of(const std::string& text) {
  try {
    Expression(text, names);
  } catch (const ValueError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("products go before sums, powers before signs, and equal ones from the left", "[expression]") {
  CHECK(value_of("1+2*3") == 7);
  CHECK(value_of("(1+2)*3") == 9);
  CHECK(value_of("8-3-2") == 3);
  CHECK(value_of("8/4/2") == 1);
  CHECK(value_of("-3^2") == -9);
  CHECK(value_of("2*-3") == -6);
  CHECK(value_of("2^-1") == 0.5);
  CHECK(value_of(" .5 + 1.25 ") == 1.75);
}

TEST_CASE("names and functions have their values", "[expression]") {
  CHECK(value_of("q*k/sqrt(D)", 3, 5, 4) == 7.5);
  CHECK(value_of("abs(q-k)", 1, 4) == 3);
  CHECK(value_of("exp(log(q))", 7) == Approx(7));
  CHECK(value_of("sin(q)^2+cos(q)^2", 0.3) == Approx(1));
  CHECK(value_of("tanh(q)", 0.5) == Approx(std::tanh(0.5)));
  CHECK(value_of("sigmoid(q)", std::log(3.0)) == Approx(0.75));
}

TEST_CASE("gradients reach the names: d/dq of -(q-k)^2/2 is k - q", "[expression]") {
  const Variable q = at(3), k = at(5);
  const Variable score = Expression("-(q-k)^2/2", names).values({{"q", q}, {"k", k}, {"D", at(1)}}).back();
  const auto slopes = grad({score}, {q, k});
  CHECK(slopes[0].item() == Approx(2));
  CHECK(slopes[1].item() == Approx(-2));
}

TEST_CASE("what is not understood is refused with its place", "[expression]") {
  CHECK(error_of("q**k") == "score: character 3 should be a number, a name, a function or (, and is \"*k\"");
  CHECK(error_of("(q+k") == "score: character 5 should be ), and is the end");
  CHECK(error_of("q k") == "score: character 3 should be an operation, + - * / ^, or the end, and is \"k\"");
  CHECK(error_of("tanh q") == "score: character 6 should be ( behind the name of a function, and is \"q\"");
  CHECK(error_of("q^k") == "score: character 3 should be a number, the exponent, and is \"k\"");
  CHECK(error_of("1.2.3") == "score: \"1.2.3\" at character 1 is no number");
  CHECK(error_of("") == "score: character 1 should be a number, a name, a function or (, and is the end");
  CHECK(error_of("q+x").starts_with("score: \"x\" at character 3 is unknown; known are q k D abs "));
  CHECK(error_of(std::string(201, 'q')) == "score: it has 201 characters, and may have 200");
  CHECK(error_of(std::string(60, '(') + "q") == "score: brackets are nested more than 40 deep");
}
