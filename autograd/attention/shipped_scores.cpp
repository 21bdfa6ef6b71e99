#include "autograd/attention/shipped_scores.h"

#include "autograd/attention/score.h"

namespace regard::shipped_scores {
namespace {

struct Plus {
  static constexpr bool only_adds = true;
  auto operator()(auto s, auto, auto, auto, auto number) const { return s + number; }
};

}  // namespace

FusedScore dot(double factor) { return score(Dot{factor}).as(PairFormula::dot, factor); }

FusedScore additive() {
  return score([](auto q, auto k, auto w) { return w * tanh(q + k); }).as(PairFormula::additive);
}

FusedScore squared_l2(double scale) {
  return score([scale](auto q, auto k) { return square(q - k) * -scale; }).as(PairFormula::squared_distance, scale);
}

FusedScore weighted_l2() {
  return score([](auto q, auto k, auto w) { return w * square(q - k); }).as(PairFormula::squared_distance);
}

FusedScore l1(double scale) {
  return score([scale](auto q, auto k) { return abs(q - k) * -scale; });
}

FusedScore soft_capped(const FusedScore& inner, double cap) {
  return modified(inner, [cap](auto s, auto, auto, auto) { return tanh(s * (1 / cap)) * cap; });
}

FusedScore soft_capped(const FusedScore& inner, const PairNumber& caps) {
  return modified(inner, caps, [](auto s, auto, auto, auto, auto cap) { return tanh(s / cap) * cap; });
}

FusedScore with_numbers(const FusedScore& inner, const PairNumber& numbers) { return modified(inner, numbers, Plus{}); }

FusedScore with_slopes(const FusedScore& inner, const PairNumber& slopes) {
  return modified(inner, slopes, [](auto s, auto i, auto j, auto, auto slope) { return s - slope * abs(j - i); });
}

}  // namespace regard::shipped_scores
