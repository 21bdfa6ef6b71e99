#include "autograd/all.h"
#include "nn/tools/explain/influence.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::batch_mixed {

// museum: wrong
Variable attend_wrong(const Variable& time_first) {  // (L, B, E), as a recurrent network left it → (B, L, E)
  const Variable x = reshape(time_first, {time_first.size(1), time_first.size(0), -1});
  return matmul(softmax(matmul(x, transpose(x)), -1), x);
}
// museum: /wrong

// museum: right
Variable attend(const Variable& time_first) {
  const Variable x = transpose(time_first, 0, 1);
  return matmul(softmax(matmul(x, transpose(x)), -1), x);
}
// museum: /right

const Hung on_the_wall({
    .name = "batch_mixed",
    .title = "A reshape mixes the sequences of a batch",
    .looks = "All shapes are right. A sequence attends to positions of other sequences; with a batch of 1, as in many "
             "tests and demonstrations, there is nothing to be seen.",
    .common = "Common wherever data is time first in one part and batch first in another: Informer2020 issue 59, "
              "tokenlearner-pytorch issue 1, Open-Sora-Plan issue 171. A model with enough weights learns even so: "
              "jsbaan/transformer-from-scratch (pull request #6) had the like of it and passed its tests.",
    .lesson = "`reshape` keeps the order of the numbers and cuts it in another way; only a transposition moves axes. "
              "`influence` with the axes of sequences in place of positions shows who depends on whom: outside the "
              "diagonal all must be 0.",
    .look =
        [](bool wrong) {
          const Variable x = parameter(noise({3, 2, 4}));
          const Tensor sizes =
              influence(wrong ? attend_wrong(x) : attend(x), x, {.output_axis = 0, .input_axis = 1}).sizes;
          Finding finding = by_law("a sequence depends on itself alone", sizes.at({0, 1}) == 0 && sizes.at({1, 0}) == 0,
                                   fmt::format("of sequences (rows) on sequences (columns):\n{:.2}", sizes));
          finding.tool = "influence";
          return finding;
        },
});

}  // namespace regard::museum::batch_mixed
