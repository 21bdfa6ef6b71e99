// How many layers does it take until an output depends on an input n positions away?
#include "nn/all.h"
#include "tests/catch.h"
#include "tests/given.h"

#include <algorithm>

namespace regard::nn {
namespace {

// How many positions the first output depends on: those where its derivative is not zero. f: (1, 1, L) → (1, 1, L)
std::int64_t seen_by_the_first(const std::function<Variable(const Variable&)>& f, std::int64_t length) {
  const Variable x = parameter(noise({1, 1, length}));
  const auto slopes = to_vector(grad({sum(select(f(x), 2, 0))}, {x})[0].value());
  return std::ranges::count_if(slopes, [](double slope) { return slope != 0; });
}

// Layers of windows of three, each with `growth` times the dilation of the one before.
Variable convolve(Variable x, int layers, std::int64_t growth) {
  Generator g(1);
  for (std::int64_t layer = 0, dilation = 1; layer < layers; ++layer, dilation *= growth)
    x = Conv1d({.in = 1, .out = 1, .kernel = 3, .padding = dilation, .dilation = dilation, .dtype = DType::f64}, g)(x);
  return x;
}

}  // namespace

TEST_CASE("path length: windows of k take O(n/k) layers, dilated ones O(log_k n), attention one") {
  for (const int layers : {1, 2, 3}) {
    CHECK(seen_by_the_first([&](const auto& x) { return convolve(x, layers, 1); }, 27) == 1 + layers);
    const double reach = (std::pow(3, layers) + 1) / 2;  // 1 + the sum of the dilations 1, 3, 9, …
    CHECK(seen_by_the_first([&](const auto& x) { return convolve(x, layers, 3); }, 27) == reach);
  }
  const auto attend = [](const Variable& x) {
    const Variable tokens = transpose(x);  // (1, L, 1)
    return transpose(Attention(ScaledDotProduct{})(tokens, tokens, tokens).output);
  };
  CHECK(seen_by_the_first(attend, 27) == 27);
}

}  // namespace regard::nn
