#include "tests/museum/attention.h"

#include "autograd/attention/pairs.h"
#include "nn/attention/scores/scaled_dot_product.h"
#include "nn/kit/subject.h"
#include "tensor/ops/reduce.h"
#include "tests/given.h"

#include <cmath>

namespace regard::museum {
namespace {

// A module without parameters.
struct Shown {
  Attend attend;

  void visit(nn::Visitor&) {}
  nn::AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const nn::Mask& mask,
                                 std::int64_t offset = 0) {
    return attend(q, k, v, mask.at(offset).table(pairs::shape_of(q, k, v), q.dtype()));
  }
};

}  // namespace

Attend weighing(const Weigh& weigh) {
  return [weigh](const Variable& q, const Variable& k, const Variable& v, const Tensor& keep) {
    const Tensor seen = max(keep, -2, keepdim);
    const Variable weights = weigh(nn::ScaledDotProduct{}(q, pairs::without_unseen_keys(k, seen)), keep);
    return nn::AttentionOutput{pairs::mix(weights, pairs::without_unseen_keys(v, seen), keep), weights};
  };
}

Projections::Projections(std::int64_t width) {
  std::uint64_t seed = 1;
  for (Variable* one : {&q, &k, &v, &o})
    *one = parameter(noise({width, width}, seed++, DType::f64, 1 / std::sqrt(static_cast<double>(width))));
}

Finding by_kit(nn::kit::Law law, const Attend& attend) {
  const nn::kit::LawInfo& info = nn::kit::info(law);
  const auto made = [&attend](double, Generator&) { return nn::kit::subject(Shown{attend}); };
  const std::string found = nn::kit::try_law(law, {"", made});
  return {!found.empty(), fmt::format("the kit: {}", info.statement), found.empty() ? "nothing" : found};
}

}  // namespace regard::museum
