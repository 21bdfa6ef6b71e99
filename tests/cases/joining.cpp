#include "tests/cases/case.h"

namespace regard::cases {

void add_joining(Table& t) {
  t.add("cat", "three-parts", {real({2, 3}), real({2, 1}), real({2, 2})}, [](const In& in) { return cat(in, 1); });
  t.add("cat", "same-value-twice", {real({2, 2})}, [](const In& in) { return cat({in[0], in[0]}, 0); });
  t.add("stack", "new-last-axis", {real({2, 3}), real({2, 3})}, [](const In& in) { return stack(in, -1); });
  t.add("stack", "new-first-axis", {real({}), real({})}, [](const In& in) { return stack(in, 0); });
  t.add("split", "uneven", {real({2, 5})}, [](const In& in) {
    const auto parts = split(in[0], {2, 3}, 1);
    return parts[0] * slice(parts[1], 1, 1);
  });
  t.add("pad", "both-axes", {real({2, 3})}, [](const In& in) { return pad(in[0], {{1, 0}, {2, 1}}, 0.5); });
}

}  // namespace regard::cases
