#include "tests/cases/case.h"

namespace regard::cases {

void add_indexing(Table& t) {
  t.add("gather", "last-axis", {indexes({2, 5}, 3), real({2, 3})},
        [](const In& in) { return gather(in[1], 1, in[0].value()); });
  t.add("gather", "first-axis", {indexes({2, 3}, 4), real({4, 3})},
        [](const In& in) { return gather(in[1], 0, in[0].value()); });
  t.add("index_select", "rows-repeated", {indexes({5}, 3), real({3, 2})},
        [](const In& in) { return index_select(in[1], 0, in[0].value()); });
  t.add("index_select", "columns", {indexes({3}, 4), real({2, 4})},
        [](const In& in) { return index_select(in[1], -1, in[0].value()); });
  t.add("scatter_add", "last-axis", {indexes({2, 4}, 3), real({2, 3}), real({2, 4})},
        [](const In& in) { return scatter_add(in[1], 1, in[0].value(), in[2]); });
  t.add("scatter_add", "first-axis", {indexes({3, 2}, 4), real({4, 2}), real({3, 2})},
        [](const In& in) { return scatter_add(in[1], 0, in[0].value(), in[2]); });
  t.add("masked_fill", "same-shape", {indexes({2, 4}, 2), real({2, 4})},
        [](const In& in) { return masked_fill(in[1], in[0].value(), 7); });
  t.add("masked_fill", "broadcast-mask", {indexes({5}, 2), real({2, 5})},
        [](const In& in) { return masked_fill(in[1], in[0].value(), -1); });
  t.add("tril", "square", {real({3, 3})}, [](const In& in) { return tril(in[0]); });
  t.add("tril", "batch-above-diagonal", {real({2, 2, 4})}, [](const In& in) { return tril(in[0], 1); });
  t.add("triu", "wide", {real({2, 4})}, [](const In& in) { return triu(in[0]); });
  t.add("triu", "below-diagonal", {real({3, 3})}, [](const In& in) { return triu(in[0], -1); });
  t.add("one_hot", "matrix", {indexes({2, 3}, 4)}, [](const In& in) { return Variable(one_hot(in[0].value(), 4)); });
}

}  // namespace regard::cases
