#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::accumulated_sum {

// A line through points: w is to become (1, −2, 3).
Variable loss_of(const Tensor& x, const Variable& w) {
  return mean(square(matmul(x, w - Variable(f64({{1}, {-2}, {3}})))));
}

// museum: wrong
void backward_wrong(const std::vector<Tensor>& micro_batches, const Variable& w) {
  for (const Tensor& x : micro_batches) loss_of(x, w).backward();
}
// museum: /wrong

// museum: right
void backward(const std::vector<Tensor>& micro_batches, const Variable& w) {
  const auto count = static_cast<double>(micro_batches.size());
  for (const Tensor& x : micro_batches) (loss_of(x, w) / count).backward();
}
// museum: /right

std::vector<Tensor> cut(const Tensor& x, std::int64_t parts) {
  std::vector<Tensor> list;
  const std::int64_t rows = x.size(0) / parts;
  for (std::int64_t i = 0; i < parts; ++i) list.push_back(slice(x, 0, i * rows, (i + 1) * rows));
  return list;
}

std::vector<double> learn(bool wrong) {
  const Tensor x = noise({32, 3});
  Variable w = parameter(zeros({3, 1}, DType::f64));
  return losses(15, [&] {
    w.clear_gradient();
    (wrong ? backward_wrong : backward)(cut(x, 8), w);
    const double loss = loss_of(x, w).item();
    assign(w, w.value() - w.gradient().value() * 0.085);
    return loss;
  });
}

const Hung on_the_wall({
    .name = "accumulated_sum",
    .title = "Accumulated gradients are not divided by their number",
    .looks = "With plain gradient descent each step is as many times too long as there are micro-batches. Training "
             "becomes restless, and with enough of them it explodes. A smaller learning rate helps, and so does "
             "clipping, so the cause is not looked for. With Adam, which divides by the size of the gradients, there "
             "is almost nothing to see; only clipping sets in much sooner.",
    .common = "Common, since gradients add up by themselves, and means do not. fastai/fastai#3023, "
              "hirofumi0810/neural_sp#168, agokrani/distillKitPlus#5.",
    .lesson = "Gradient accumulation is there to have a large batch in little memory, so it must give the gradient of "
              "the large batch. Without the division, eight parts give a gradient that is eight times as large. (Where "
              "parts differ in size, dividing by their number is not enough: see [a mean of means](mean_of_means.md).)",
    .look =
        [](bool wrong) {
          const Tensor x = noise({8, 3});
          const auto slope = [&](std::int64_t parts) {
            const Variable w = parameter(zeros({3, 1}, DType::f64));
            (wrong ? backward_wrong : backward)(cut(x, parts), w);
            return w.gradient().value();
          };
          return by_law("four micro-batches give what one batch gives", slope(4), slope(1));
        },
    .learn = learn,
    .logarithmic = true,
});

}  // namespace regard::museum::accumulated_sum
