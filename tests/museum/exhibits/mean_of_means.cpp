#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::mean_of_means {

struct Part {  // what one rank, or one micro-batch, has of the batch
  Tensor x, y;
};

Variable squares(const Part& part, const Variable& w) { return square(Variable(part.x) * w - Variable(part.y)); }

// museum: wrong
Variable loss_wrong(const std::vector<Part>& parts, const Variable& w) {
  Variable total = zeros({}, DType::f64);
  double count = 0;
  for (const Part& part : parts) {
    total = total + mean(squares(part, w));
    count += 1;
  }
  return total / count;
}
// museum: /wrong

// museum: right
Variable loss(const std::vector<Part>& parts, const Variable& w) {
  Variable total = zeros({}, DType::f64);
  double count = 0;
  for (const Part& part : parts) {
    total = total + sum(squares(part, w));
    count += static_cast<double>(part.y.numel());
  }
  return total / count;
}
// museum: /right

const Hung on_the_wall({
    .name = "mean_of_means",
    .title = "A mean of means over parts of different sizes",
    .looks = "Training works. Only its numbers depend on how the batch was cut: with two ranks, or with gradient "
             "accumulation, the curve is a little different, and worse where lengths differ much.",
    .common = "Very common, since losses return means, and tokens that count are not the same number in each part. It "
              "stood in Hugging Face transformers until 2024 (issue 24725), and in mlx-lm (pull request 1413).",
    .lesson = "A row of the part with 2 rows counts three times as much as one of the part with 6. The same "
              "batch, cut in another way, must give the same gradient. So add up sums, add up counts, and "
              "divide once.",
    .look =
        [](bool wrong) {
          const Tensor x = noise({8}, 1), y = noise({8}, 2);
          const auto slope = [&](const std::vector<Part>& parts) {
            const Variable w = parameter(full({}, 0.5, DType::f64));
            return grad({wrong ? loss_wrong(parts, w) : loss(parts, w)}, {w})[0].value();
          };
          return by_law("two parts give what the whole batch gives",
                        slope({{slice(x, 0, 0, 6), slice(y, 0, 0, 6)}, {slice(x, 0, 6), slice(y, 0, 6)}}),
                        slope({{x, y}}));
        },
});

}  // namespace regard::museum::mean_of_means
