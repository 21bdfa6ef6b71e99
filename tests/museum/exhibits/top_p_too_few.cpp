#include "tensor/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::top_p_too_few {

// museum: wrong
Tensor kept_wrong(const Tensor& shares, double p) {  // probabilities in descending order
  return less_equal(cumsum(shares, 0), p);
}
// museum: /wrong

// museum: right
Tensor kept(const Tensor& shares, double p) {  // probabilities in descending order
  return less(cumsum(shares, 0) - shares, p);
}
// museum: /right

const Hung on_the_wall({
    .name = "top_p_too_few",
    .title = "Top p drops the token that crosses the bound",
    .looks =
        "Texts are tamer than those of other programs with the same p. Where the likeliest token has more than p by "
        "itself, none is left, and a guard that keeps one hides even that.",
    .common = "Common: it is the first condition that comes to mind. reasoning-from-scratch issue 164, and pull "
              "requests Biohub/esm#360, fishaudio/fish-speech#1171 and thu-nics/C2C#21.",
    .lesson = "Top p keeps as few tokens as have a probability of p together, so what is kept must have at least p. "
              "A token stays if those before it have less.",
    .look =
        [](bool wrong) {
          const Tensor shares = f64({0.5, 0.3, 0.15, 0.05});
          const double together = sum(shares * to((wrong ? kept_wrong : kept)(shares, 0.6), DType::f64)).item();
          return by_law("what is kept has a probability of p or more", together >= 0.6,
                        fmt::format("of 0.5, 0.3, 0.15 and 0.05, top p = 0.6 keeps {:.2f}", together));
        },
});

}  // namespace regard::museum::top_p_too_few
