#include "tests/cases/case.h"

namespace regard::cases {

void add_views(Table& t) {
  t.add("identity", "itself", {real({2, 3})}, [](const In& in) { return identity(in[0]); });
  t.add("reshape", "with-leftover", {real({2, 3, 2})}, [](const In& in) { return reshape(in[0], {3, -1}); });
  t.add("reshape", "of-transposed", {real({2, 3})}, [](const In& in) { return reshape(transpose(in[0]), {6}); });
  t.add("flatten", "inner-axes", {real({2, 3, 2})}, [](const In& in) { return flatten(in[0], 1); });
  t.add("permute", "three-axes", {real({2, 3, 4})}, [](const In& in) { return permute(in[0], {2, 0, -2}); });
  t.add("transpose", "last-two", {real({2, 3, 2})}, [](const In& in) { return transpose(in[0]); });
  t.add("transpose", "outer-two", {real({2, 3, 2})}, [](const In& in) { return transpose(in[0], 0, 2); });
  t.add("squeeze", "one-axis", {real({2, 1, 3})}, [](const In& in) { return squeeze(in[0], 1); });
  t.add("squeeze", "all-axes", {real({1, 2, 1})}, [](const In& in) { return squeeze(in[0]); });
  t.add("unsqueeze", "at-the-end", {real({2, 3})}, [](const In& in) { return unsqueeze(in[0], -1); });
  t.add("unsqueeze", "of-scalar", {real({})}, [](const In& in) { return unsqueeze(in[0], 0); });
  t.add("expand", "axis-of-one", {real({2, 1, 3})}, [](const In& in) { return expand(in[0], {2, 4, 3}); });
  t.add("expand", "new-axes", {real({3})}, [](const In& in) { return expand(in[0], {2, 2, 3}); });
  t.add("slice", "from-the-end", {real({5, 2})}, [](const In& in) { return slice(in[0], 0, -3, -1); });
  t.add("slice", "with-step", {real({2, 7})}, [](const In& in) { return slice(in[0], 1, 1, to_end, 3); });
  t.add("slice", "several-axes", {real({4, 2, 5})},
        [](const In& in) { return slice(slice(in[0], 0, 1, -1), 2, 0, to_end, 2); });
  t.add("place", "with-step", {real({2, 3})}, [](const In& in) { return place(in[0], {2, 8}, 1, 1, 3); });
  t.add("select", "one-row", {real({3, 4})}, [](const In& in) { return select(in[0], 0, -1); });
  t.add("flip", "first-axis", {real({3, 2})}, [](const In& in) { return flip(in[0], 0); });
  t.add("repeat_interleave", "first-axis", {real({2, 3})}, [](const In& in) { return repeat_interleave(in[0], 3, 0); });
  t.add("repeat_interleave", "last-axis", {real({2, 3})}, [](const In& in) { return repeat_interleave(in[0], 2, -1); });
}

}  // namespace regard::cases
