#include "nn/optim/clip.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::clipped_apart {

// museum: wrong
void clip_wrong(const std::vector<Variable>& parameters, double limit) {
  for (const Variable& one : parameters) optim::clip_norm({one}, limit);
}
// museum: /wrong

// museum: right
void clip(const std::vector<Variable>& parameters, double limit) { optim::clip_norm(parameters, limit); }
// museum: /right

const Hung on_the_wall({
    .name = "clipped_apart",
    .title = "Each parameter's gradient is clipped by itself",
    .looks =
        "Training is stable, and the limit that a paper gives does not work as it does there. A layer with a large "
        "gradient is slowed down, the others are not: the step goes in another direction than the gradient.",
    .common = "Common: the loop over parameters is there already. BERT's optimizer in Hugging Face transformers did it "
              "(issue 581), `clipnorm` of Keras does it by design (issue 13575), and MemN2N-tensorflow did (issue 19).",
    .lesson = "All gradients together are one vector. Clipping makes it shorter and leaves its direction alone, so the "
              "gradient before and after, each divided by its length, must be the same.",
    .look =
        [](bool wrong) {
          std::vector<Variable> parameters{parameter(zeros({2}, DType::f64)), parameter(zeros({2}, DType::f64))};
          set_gradient(parameters[0], f64({6, 8}));
          set_gradient(parameters[1], f64({0.3, 0.4}));
          const auto direction = [&] {
            const Tensor all = cat({parameters[0].gradient().value(), parameters[1].gradient().value()}, 0);
            return all / sqrt(sum(square(all)));
          };
          const Tensor before = direction();
          (wrong ? clip_wrong : clip)(parameters, 1);
          return by_law("clipping keeps the direction of the whole gradient", direction(), before);
        },
});

}  // namespace regard::museum::clipped_apart
