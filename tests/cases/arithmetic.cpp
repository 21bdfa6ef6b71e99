#include "tests/cases/case.h"

namespace regard::cases {

void add_arithmetic(Table& t) {
  t.add("add", "same-shape", {real({2, 3}), real({2, 3})}, [](const In& in) { return in[0] + in[1]; });
  t.add("add", "broadcast", {real({2, 1, 3}), real({4, 1})}, [](const In& in) { return in[0] + in[1]; });
  t.add("add", "scalar-tensor", {real({}), real({2, 2})}, [](const In& in) { return in[0] + in[1]; });
  t.add("add", "same-value-twice", {real({3})}, [](const In& in) { return in[0] + in[0]; });
  t.add("subtract", "same-shape", {real({2, 3}), real({2, 3})}, [](const In& in) { return in[0] - in[1]; });
  t.add("subtract", "broadcast", {real({3}), real({2, 1})}, [](const In& in) { return in[0] - in[1]; });
  t.add("multiply", "same-shape", {real({2, 3}), real({2, 3})}, [](const In& in) { return in[0] * in[1]; });
  t.add("multiply", "broadcast", {real({2, 1}), real({2, 1, 3})}, [](const In& in) { return in[0] * in[1]; });
  t.add("multiply", "same-value-twice", {real({4})}, [](const In& in) { return in[0] * in[0]; });
  t.add("divide", "same-shape", {real({2, 3}), between({2, 3}, 0.5, 2)}, [](const In& in) { return in[0] / in[1]; });
  t.add("divide", "broadcast", {real({2, 1}), between({3}, -2, -0.5)}, [](const In& in) { return in[0] / in[1]; });

  t.add("affine", "add-number", {real({3})}, [](const In& in) { return in[0] + 1.5; });
  t.add("affine", "subtract-number", {real({3})}, [](const In& in) { return in[0] - 1.5; });
  t.add("affine", "number-minus", {real({3})}, [](const In& in) { return 1.5 - in[0]; });
  t.add("affine", "times-number", {real({2, 2})}, [](const In& in) { return -2.5 * in[0]; });
  t.add("affine", "over-number", {real({2, 2})}, [](const In& in) { return in[0] / 3.0; });
  t.add("affine", "negated", {real({})}, [](const In& in) { return -in[0]; });
  t.add("divide", "number-over", {between({3}, 0.5, 2)}, [](const In& in) { return 2.0 / in[0]; });

  t.add("pow", "same-shape", {between({2, 3}, 0.5, 2), real({2, 3})}, [](const In& in) { return pow(in[0], in[1]); });
  t.add("pow", "broadcast", {between({2, 1}, 0.5, 2), real({3})}, [](const In& in) { return pow(in[0], in[1]); });
  t.add("pow", "cube", {real({4})}, [](const In& in) { return pow(in[0], 3); });
  t.add("pow", "root", {between({4}, 0.5, 2)}, [](const In& in) { return pow(in[0], 0.4); });
  t.add("pow", "inverse", {between({4}, -2, -0.5)}, [](const In& in) { return pow(in[0], -1); });

  t.add("maximum", "same-shape", {distinct({2, 3}), between({2, 3}, -0.2, 0.2)},
        [](const In& in) { return maximum(in[0] + 0.25, in[1]); });
  t.add("maximum", "broadcast", {distinct({2, 3}), between({3}, -0.2, 0.2)},
        [](const In& in) { return maximum(in[0] + 0.25, in[1]); });
  t.add("maximum", "number", {away_from({5}, 0.3, 0.1)}, [](const In& in) { return maximum(in[0], 0.3); });
  t.add("minimum", "same-shape", {distinct({2, 3}), between({2, 3}, -0.2, 0.2)},
        [](const In& in) { return minimum(in[0] + 0.25, in[1]); });
  t.add("minimum", "broadcast", {between({2, 1}, -0.2, 0.2), distinct({2, 4})},
        [](const In& in) { return minimum(in[0], in[1] + 0.25); });
  t.add("minimum", "number", {away_from({5}, 0.3, 0.1)}, [](const In& in) { return minimum(in[0], 0.3); });

  t.add("remainder", "same-shape", {between({2, 3}, 2.1, 2.4), between({2, 3}, 0.9, 1)},
        [](const In& in) { return remainder(in[0], in[1]); });
  t.add("remainder", "broadcast-of-signs", {between({2, 1}, -2.4, -2.1), between({3}, 0.9, 1)}, [](const In& in) {
    return remainder(cat({in[0], -in[0]}, 1), -slice(in[1], 0, 0, 2));
  });
  t.add("remainder", "number", {away_from({5}, 0, 0.1)}, [](const In& in) { return remainder(in[0], 4); });

  t.add("where", "number", {indexes({2, 3}, 2), real({2, 3})},
        [](const In& in) { return where(in[0].value(), in[1], -1.5) + where(in[0].value(), 2, in[1]); });
  t.add("where", "same-shape", {indexes({2, 3}, 2), real({2, 3}), real({2, 3})},
        [](const In& in) { return where(in[0].value(), in[1], in[2]); });
  t.add("where", "broadcast", {indexes({4, 1}, 2), real({3}), real({})},
        [](const In& in) { return where(in[0].value(), in[1], in[2]); });

  t.add("equal", "indexes", {indexes({3, 1}, 3), indexes({4}, 3)},
        [](const In& in) { return Variable(equal(in[0], in[1])); });
  t.add("not_equal", "indexes", {indexes({3, 1}, 3), indexes({4}, 3)},
        [](const In& in) { return Variable(not_equal(in[0], in[1])); });
  t.add("less", "broadcast", {real({3, 1}), real({4})}, [](const In& in) { return Variable(less(in[0], in[1])); });
  t.add("less_equal", "indexes", {indexes({3, 1}, 3), indexes({4}, 3)},
        [](const In& in) { return Variable(less_equal(in[0], in[1])); });
  t.add("greater", "broadcast", {real({3, 1}), real({4})},
        [](const In& in) { return Variable(greater(in[0], in[1])); });
  t.add("greater_equal", "indexes", {indexes({3, 1}, 3), indexes({4}, 3)},
        [](const In& in) { return Variable(greater_equal(in[0], in[1])); });
}

}  // namespace regard::cases
