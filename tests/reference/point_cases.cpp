// Extra cases at the edges of arithmetic: zeros of both signs, infinities, NaN, ties, and numbers of every size.

#include "tests/cases/case.h"
#include "tests/catch.h"
#include "tests/given.h"
#include "tests/reference/extra.h"

namespace regard::reference {

using cases::In;

const Functions& pointwise_functions() {
  static const Functions functions = {
      {"exp", [](const In& in) { return exp(in[0]); }},
      {"log", [](const In& in) { return log(in[0]); }},
      {"sqrt", [](const In& in) { return sqrt(in[0]); }},
      {"rsqrt", [](const In& in) { return rsqrt(in[0]); }},
      {"square", [](const In& in) { return square(in[0]); }},
      {"sin", [](const In& in) { return sin(in[0]); }},
      {"cos", [](const In& in) { return cos(in[0]); }},
      {"tanh", [](const In& in) { return tanh(in[0]); }},
      {"erf", [](const In& in) { return erf(in[0]); }},
      {"sigmoid", [](const In& in) { return sigmoid(in[0]); }},
      {"softplus", [](const In& in) { return softplus(in[0]); }},
      {"silu", [](const In& in) { return silu(in[0]); }},
      {"gelu", [](const In& in) { return gelu(in[0]); }},
      {"gelu_tanh", [](const In& in) { return gelu(in[0], GeluForm::tanh); }},
      {"relu", [](const In& in) { return relu(in[0]); }},
      {"leaky_relu", [](const In& in) { return leaky_relu(in[0], 0.2); }},
      {"abs", [](const In& in) { return abs(in[0]); }},
      {"clamp", [](const In& in) { return clamp(in[0], -0.5, 0.5); }},
      {"is_nan", [](const In& in) { return Variable(is_nan(in[0])); }},
  };
  return functions;
}

namespace {

Functions make_point_cases() {
  Functions f = {
      {"add/edges", [](const In& in) { return in[0] + in[1]; }},
      {"subtract/edges", [](const In& in) { return in[0] - in[1]; }},
      {"multiply/edges", [](const In& in) { return in[0] * in[1]; }},
      {"divide/edges", [](const In& in) { return in[0] / in[1]; }},
      {"divide/number-over-edges", [](const In& in) { return 2 / in[0]; }},
      {"affine/edges", [](const In& in) { return -2.5 * in[0] - 1.5; }},
      {"pow/edges", [](const In& in) { return pow(in[0], in[1]); }},
      {"maximum/edges", [](const In& in) { return maximum(in[0], in[1]); }},
      {"maximum/number-edges", [](const In& in) { return maximum(in[0], 0.5); }},
      {"minimum/edges", [](const In& in) { return minimum(in[0], in[1]); }},
      {"where/edges", [](const In& in) { return where(in[0].value(), in[1], in[2]); }},
      {"equal/edges", [](const In& in) { return Variable(equal(in[0], in[1])); }},
      {"not_equal/edges", [](const In& in) { return Variable(not_equal(in[0], in[1])); }},
      {"less/edges", [](const In& in) { return Variable(less(in[0], in[1])); }},
      {"less_equal/edges", [](const In& in) { return Variable(less_equal(in[0], in[1])); }},
      {"greater/edges", [](const In& in) { return Variable(greater(in[0], in[1])); }},
      {"greater_equal/edges", [](const In& in) { return Variable(greater_equal(in[0], in[1])); }},
      {"to/other-dtype", [](const In& in) { return to(in[0], in[0].dtype() == DType::f32 ? DType::f64 : DType::f32); }},
      {"sum/edges", [](const In& in) { return sum(in[0], -1); }},
      {"mean/edges", [](const In& in) { return mean(in[0], -1); }},
      {"mean/empty", [](const In& in) { return mean(in[0], 0); }},
      {"var/edges", [](const In& in) { return var(in[0], -1); }},
      {"var/one-element", [](const In& in) { return var(in[0], 0, KeepDim::no, 1); }},
      {"max/edges", [](const In& in) { return max(in[0], -1); }},
      {"min/edges", [](const In& in) { return min(in[0], -1); }},
      {"logsumexp/edges", [](const In& in) { return logsumexp(in[0], -1); }},
      {"argmax/edges", [](const In& in) { return Variable(argmax(in[0], -1)); }},
      {"softmax/edges", [](const In& in) { return softmax(in[0], -1); }},
      {"log_softmax/edges", [](const In& in) { return log_softmax(in[0], -1); }},
      {"cumsum/edges", [](const In& in) { return cumsum(in[0], -1); }},
      {"prod/zeros", [](const In& in) { return prod(in[0], -1); }},
      {"cumprod/zeros", [](const In& in) { return cumprod(in[0], -1); }},
      {"sort/edges", [](const In& in) { return sort(in[0], -1); }},
      {"sort/descending-edges", [](const In& in) { return sort(in[0], -1, SortOrder::descending); }},
      {"argsort/edges", [](const In& in) { return Variable(argsort(in[0], -1)); }},
      {"argsort/descending-edges", [](const In& in) { return Variable(argsort(in[0], -1, SortOrder::descending)); }},
      {"topk/edges", [](const In& in) { return topk(in[0], 2, -1).values; }},
      {"masked_fill/edges", [](const In& in) { return masked_fill(in[1], in[0].value(), -inf); }},
      {"tril/edges", [](const In& in) { return tril(in[0]); }},
      {"pad/edges",
       [](const In& in) {
         return pad(in[0], {{0, 0}, {1, 0}}, -inf);
       }},
      {"matmul/edges", [](const In& in) { return matmul(in[0], in[1]); }},
  };
  for (const auto& [name, function] : pointwise_functions()) f[name + "/edges"] = function;
  for (const double c : {0.0, 1.0, 2.0, 3.0, -1.0, 0.5, -0.5, 2.5})
    f[fmt::format("pow/number{:+}", c)] = [c](const In& in) { return pow(in[0], c); };
  return f;
}

}  // namespace

const Functions& point_cases() {
  static const Functions functions = make_point_cases();
  return functions;
}

TEST_CASE("point cases: every one has a record in both dtypes, and every record its function") {
  for (const DType dtype : {DType::f64, DType::f32}) {
    for (const auto& [id, f] : point_cases()) {
      INFO(id << " " << name_of(dtype));
      CHECK(find(point_records(dtype), id));
    }
    for (const Record& record : point_records(dtype)) {
      INFO(record.id << " " << name_of(dtype));
      CHECK(point_cases().count(record.id) == 1);
    }
  }
}

}  // namespace regard::reference
