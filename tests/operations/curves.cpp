#include "tests/operations/facts.h"

#include "tensor/create.h"

namespace regard::operation_facts {
namespace {

struct Shown {
  const char* id;
  double from, to;
};

// Where each of them is worth seeing.
constexpr Shown shown[] = {
    {"affine/times-number", -2, 2},
    {"pow/cube", -2, 2},
    {"maximum/number", -2, 2},
    {"minimum/number", -2, 2},
    {"remainder/number", -9, 9},
    {"exp/matrix", -3, 2},
    {"log/matrix", 0.05, 5},
    {"sqrt/matrix", 0.01, 5},
    {"rsqrt/matrix", 0.1, 5},
    {"square/matrix", -2, 2},
    {"sin/matrix", -6.3, 6.3},
    {"cos/matrix", -6.3, 6.3},
    {"tanh/matrix", -4, 4},
    {"erf/matrix", -3, 3},
    {"sigmoid/matrix", -6, 6},
    {"softplus/matrix", -6, 6},
    {"silu/matrix", -6, 6},
    {"gelu/matrix", -4, 4},
    {"gelu_tanh/matrix", -4, 4},
    {"relu/both-sides", -3, 3},
    {"leaky_relu/both-sides", -3, 3},
    {"abs/both-sides", -3, 3},
    {"clamp/inside-and-outside", -2, 2},
};

}  // namespace

std::vector<Curve> curves() {
  constexpr std::int64_t count = 401;
  std::vector<Curve> all;
  for (const auto& [id, from, to] : shown) {
    const cases::Case& row = case_named(id);
    const Variable x = parameter(add(multiply(arange(count, DType::f64), (to - from) / (count - 1)), from));
    const Variable y = row.f({x});
    const Variable slope = grad({sum(y)}, {x}).front();
    all.push_back({&row, to_vector(x.value()), to_vector(y.value()), to_vector(slope.value())});
  }
  return all;
}

}  // namespace regard::operation_facts
