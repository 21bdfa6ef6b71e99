#include "tensor/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::statistics_of_all {

struct Parts {
  Tensor train, test;
};

// museum: wrong
Parts split_wrong(const Tensor& data, std::int64_t train_rows) {
  const Tensor known = data;
  const Tensor scaled = (data - mean(known, 0)) / sqrt(var(known, 0));
  return {slice(scaled, 0, 0, train_rows), slice(scaled, 0, train_rows)};
}
// museum: /wrong

// museum: right
Parts split(const Tensor& data, std::int64_t train_rows) {
  const Tensor known = slice(data, 0, 0, train_rows);
  const Tensor scaled = (data - mean(known, 0)) / sqrt(var(known, 0));
  return {slice(scaled, 0, 0, train_rows), slice(scaled, 0, train_rows)};
}
// museum: /right

const Hung on_the_wall({
    .name = "statistics_of_all",
    .title = "Test rows take part in the mean and the variance",
    .looks = "Results on the test rows are better than those on data that come later: a bit, or very much "
             "where there is little data, or where the level of a series changes in time.",
    .common = "Very common, also in teaching: Dive into Deep Learning's house prices (issue 843), Udacity's first "
              "project (udacity/deep-learning#143), microsoft/qlib#770.",
    .lesson =
        "The test rows stand for data that nobody has yet. Change them: nothing that is trained on may change. The "
        "same question finds vocabularies, features and stopping times that were chosen with a look at the test "
        "rows.",
    .look =
        [](bool wrong) {
          const auto cut = wrong ? split_wrong : split;
          const Tensor data = noise({8, 2}), changed = cat({slice(data, 0, 0, 6), slice(data, 0, 6) + 5.0}, 0);
          return by_law("other test rows leave the training rows as they are", cut(changed, 6).train,
                        cut(data, 6).train);
        },
});

}  // namespace regard::museum::statistics_of_all
