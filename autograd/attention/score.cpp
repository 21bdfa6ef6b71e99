#include "autograd/attention/score.h"

#include "tensor/attention/engine/sum_score.h"

namespace regard {

void require_score(const char* name, const FusedScore& score) {
  if (!score.f32 || !score.f64 || !score.composed) fail<ValueError>("{}: the score is empty", name);
}

FusedScore operator+(const FusedScore& a, const FusedScore& b) {
  require_score("operator+", a);
  require_score("operator+", b);
  if (a.needs_parameters && b.needs_parameters)
    fail<ValueError>("operator+: both scores have parameters, and there is one tensor of them");
  const std::size_t of_a = a.numbers.size();
  const auto lines = static_cast<std::int64_t>(of_a);
  FusedScore both = a;
  both.f32 = std::make_shared<engine::SumTiles<float>>(a.f32, b.f32, lines);
  both.f64 = std::make_shared<engine::SumTiles<double>>(a.f64, b.f64, lines);
  both.composed = [of_a, first = a.composed, second = b.composed](const AllPairs& pairs) {
    AllPairs for_second = pairs;
    for_second.numbers = pairs.numbers.subspan(of_a);
    return first(pairs) + second(for_second);
  };
  both.needs_parameters = a.needs_parameters || b.needs_parameters;
  both.formula = PairFormula::other;
  both.numbers.insert(both.numbers.end(), b.numbers.begin(), b.numbers.end());
  return both;
}

}  // namespace regard
