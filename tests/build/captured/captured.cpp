// Scores that use a Variable that they captured: each must be refused in one error, which says what to do instead. The
// test compiles this file once for each way.
#include "autograd/all.h"

using namespace regard;

const Variable width = parameter(ones({}));

#if defined(BY_VALUE)
const FusedScore made = score([w = width](auto q, auto k) { return w * (q - k); });
#elif defined(BY_REFERENCE)
FusedScore make(const Variable& w) {
  return score([&](auto q, auto k) { return abs(q - k) / w; });
}
#elif defined(IN_A_MODIFIER)
FusedScore make(const Variable& w) {
  return modified(score(Dot{}), [&](auto s, auto i, auto j, auto) { return s - square((i - j) / exp(w)); });
}
#elif defined(NOTHING_CAPTURED)
const FusedScore made = modified(score([](auto q, auto k, auto w) { return w * (q - k); }), per_head(width),
                                 [](auto s, auto i, auto j, auto, auto w) { return s - square((i - j) / w); });
#endif
