// The rungs of the attention ladder one by one, beside the fused operation of the library and what it replaces: the
// same from operations on all pairs.
#include "tensor/attention/ladder.h"

#include "autograd/all.h"
#include "nn/attention/all.h"
#include "tests/bench/measure.h"

#include <cmath>
#include <vector>

namespace regard::bench {
namespace {

using Rung = attention_ladder::Rung<float>;
using Operands = attention_ladder::Operands<float>;

constexpr std::int64_t length = 1024, features = 64;
constexpr double product = 2.0 * length * length * features;  // forward takes two of these, the gradient five more

Tensor matrix(int number) { return operand({length, features}, number); }

Operands operands(bool causal) {
  static const std::vector<KeyRange> up_to_itself = [] {
    std::vector<KeyRange> ranges;
    for (std::int64_t i = 0; i < length; ++i) ranges.push_back({0, i + 1});
    return ranges;
  }();
  return {length,
          length,
          features,
          features,
          matrix(0).data<float>(),
          matrix(1).data<float>(),
          matrix(2).data<float>(),
          1 / std::sqrt(static_cast<float>(features)),
          nullptr,
          causal ? up_to_itself.data() : nullptr};
}

Run run(const Rung& rung, bool gradient, bool causal) {
  std::vector<Tensor> made;
  for (int n = 0; n < 4; ++n) made.push_back(empty({length, features}, DType::f32));
  const Operands in = operands(causal);
  const float* g = matrix(3).data<float>();
  return [=]() mutable {
    float* output = made[0].writable<float>();
    if (gradient)
      rung.gradient(in, g, output, {made[1].writable<float>(), made[2].writable<float>(), made[3].writable<float>()});
    else
      rung.forward(in, output);
  };
}

Run library(nn::Method method, bool gradient, bool causal) {
  const Variable q = parameter(matrix(0)), k = parameter(matrix(1)), v = parameter(matrix(2)), g = matrix(3);
  const nn::Mask mask = causal ? nn::Mask::causal() : nn::Mask{};
  return [=] {
    nn::Attention attention(nn::ScaledDotProduct{}, {.method = method});
    if (gradient) {
      grad({attention(q, k, v, mask).output}, {q, k, v}, {.gradients = {g}});
    } else {
      const NoGrad no_grad;
      attention(q, k, v, mask);
    }
  };
}

}  // namespace

void register_measurements() {
  static const std::vector<Rung> rungs = attention_ladder::ladder<float>();
  for (const bool gradient : {false, true})
    for (const int threads : {1, 2}) {
      const Key key{gradient ? "attention_ladder/gradient/1024" : "attention_ladder/forward/1024", threads};
      for (const Rung& rung : rungs) {
        const bool is_last = &rung == &rungs.back(), is_causal_too = is_last || &rung == &rungs[2];
        if (threads > 1 && !is_last) continue;
        const auto bytes = static_cast<double>(rung.held(operands(false))) * sizeof(float);
        const Work work{gradient ? 7 * product : 2 * product, 0, bytes};
        measure(key, rung.name, work, [=] { return run(rung, gradient, false); });
        if (is_causal_too)
          measure(key, rung.name + std::string("_causal"), work, [=] { return run(rung, gradient, true); });
      }
      measure(key, "fused", {}, [=] { return library(nn::Method::fused, gradient, false); });
      measure(key, "fused_causal", {}, [=] { return library(nn::Method::fused, gradient, true); });
      measure(key, "composed", {}, [=] { return library(nn::Method::composed, gradient, false); });
    }
}

}  // namespace regard::bench
