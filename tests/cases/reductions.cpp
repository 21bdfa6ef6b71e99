#include "tests/cases/case.h"

namespace regard::cases {

void add_reductions(Table& t) {
  t.add("sum", "all", {real({2, 3})}, [](const In& in) { return sum(in[0]); });
  t.add("sum", "one-axis", {real({2, 3, 2})}, [](const In& in) { return sum(in[0], 1); });
  t.add("sum", "two-axes-kept", {real({2, 3, 2})}, [](const In& in) { return sum(in[0], {0, -1}, keepdim); });
  t.add("sum", "scalar", {real({})}, [](const In& in) { return sum(in[0]); });
  t.add("sum_to", "broadcast-axes", {real({2, 3, 4})}, [](const In& in) { return sum_to(in[0], {3, 1}); });
  t.add("prod", "all", {real({2, 3})}, [](const In& in) { return prod(in[0]); });
  t.add("prod", "one-axis", {real({2, 3, 2})}, [](const In& in) { return prod(in[0], 1); });
  t.add("prod", "two-axes-kept", {real({2, 3, 2})}, [](const In& in) { return prod(in[0], {0, -1}, keepdim); });
  t.add("mean", "all", {real({2, 3})}, [](const In& in) { return mean(in[0]); });
  t.add("mean", "last-axis-kept", {real({2, 3})}, [](const In& in) { return mean(in[0], -1, keepdim); });
  t.add("var", "biased", {real({2, 4})}, [](const In& in) { return var(in[0], -1); });
  t.add("var", "unbiased", {real({3, 2, 2})}, [](const In& in) { return var(in[0], {0, 2}, keepdim, 1); });
  t.add("max", "all", {distinct({2, 3})}, [](const In& in) { return max(in[0]); });
  t.add("max", "one-axis", {distinct({2, 3, 2})}, [](const In& in) { return max(in[0], 1); });
  t.add("max", "two-axes-kept", {distinct({2, 3, 2})}, [](const In& in) { return max(in[0], {0, 2}, keepdim); });
  t.add("min", "all", {distinct({2, 3})}, [](const In& in) { return min(in[0]); });
  t.add("min", "one-axis", {distinct({3, 4})}, [](const In& in) { return min(in[0], 0); });
  t.add("logsumexp", "all", {real({2, 3})}, [](const In& in) { return logsumexp(in[0]); });
  t.add("logsumexp", "one-axis", {real({2, 3})}, [](const In& in) { return logsumexp(in[0], 0); });
  t.add("logsumexp", "two-axes-kept", {real({2, 3, 2})}, [](const In& in) {
    return logsumexp(in[0], {1, 2}, keepdim);
  });
  t.add("argmax", "last-axis", {distinct({3, 4})}, [](const In& in) { return Variable(argmax(in[0], -1)); });
  t.add("argmax", "first-axis-kept", {distinct({3, 4})},
        [](const In& in) { return Variable(argmax(in[0], 0, keepdim)); });
  t.add("argmin", "last-axis", {distinct({3, 4})}, [](const In& in) { return Variable(argmin(in[0], -1)); });
  t.add("argmin", "first-axis-kept", {distinct({3, 4})},
        [](const In& in) { return Variable(argmin(in[0], 0, keepdim)); });
  t.add("all", "two-axes", {indexes({2, 4, 2}, 5)}, [](const In& in) { return Variable(all(in[0], {0, 2})); });
  t.add("any", "last-axis-kept", {indexes({5, 2}, 2)}, [](const In& in) { return Variable(any(in[0], 1, keepdim)); });
  t.add("softmax", "last-axis", {real({2, 4})}, [](const In& in) { return softmax(in[0], -1); });
  t.add("softmax", "first-axis", {real({3, 2})}, [](const In& in) { return softmax(in[0], 0); });
  t.add("softmax", "middle-axis", {real({2, 3, 2})}, [](const In& in) { return softmax(in[0], 1); });
  t.add("log_softmax", "last-axis", {real({2, 4})}, [](const In& in) { return log_softmax(in[0], -1); });
  t.add("log_softmax", "middle-axis", {real({2, 3, 2})}, [](const In& in) { return log_softmax(in[0], 1); });
}

}  // namespace regard::cases
