#include "tests/cases/case.h"

namespace regard::cases {

void add_order(Table& t) {
  t.add("cumsum", "last-axis", {real({2, 4})}, [](const In& in) { return cumsum(in[0], -1); });
  t.add("cumsum", "first-axis", {real({3, 2})}, [](const In& in) { return cumsum(in[0], 0); });
  t.add("cumprod", "last-axis", {real({2, 5})}, [](const In& in) { return cumprod(in[0], -1); });
  t.add("cumprod", "first-axis", {real({3, 2})}, [](const In& in) { return cumprod(in[0], 0); });
  t.add("sort", "ascending", {distinct({2, 4})}, [](const In& in) { return sort(in[0], 1); });
  t.add("sort", "descending", {distinct({4, 2})}, [](const In& in) { return sort(in[0], 0, SortOrder::descending); });
  t.add("argsort", "ascending", {distinct({2, 4})}, [](const In& in) { return Variable(argsort(in[0], 1)); });
  t.add("argsort", "descending", {distinct({4, 2})},
        [](const In& in) { return Variable(argsort(in[0], 0, SortOrder::descending)); });
  t.add("topk", "two-of-five", {distinct({2, 5})}, [](const In& in) { return topk(in[0], 2, 1).values; });
}

}  // namespace regard::cases
