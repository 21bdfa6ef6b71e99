#include "tensor/fused/rotate_pairs.h"

#include "tensor/loops/walk.h"
#include "tensor/threads/parallel.h"

namespace regard {
namespace {

void require_turns(const Tensor& x, const Tensor& cosine, const Tensor& sine) {
  require_same_dtype("rotate_pairs", x, cosine);
  require_same_dtype("rotate_pairs", x, sine);
  const Shape& turns = cosine.shape();
  bool fits = turns == sine.shape() && turns.rank() >= 1 && turns.rank() <= x.rank() && 2 * turns.back() <= x.size(-1);
  for (int i = 2; fits && i <= turns.rank(); ++i) fits = turns.back(i) == 1 || turns.back(i) == x.shape().back(i);
  if (!fits)
    fail<ShapeError>("rotate_pairs: {}: cosine {} and sine {} must be (…, P) with 2·P features or fewer", x.shape(),
                     turns, sine.shape());
}

template <class T>
void rotate_row(const T* x, const T* cosine, const T* sine, std::int64_t pairs, std::int64_t step, T* y) {
  const std::int64_t to_next = step == 1 ? 2 : 1;  // from one pair to the next; step: from a to b
  for (std::int64_t j = 0; j < pairs; ++j) {
    const T a = x[j * to_next], b = x[j * to_next + step];
    y[j * to_next] = a * cosine[j] - b * sine[j];
    y[j * to_next + step] = b * cosine[j] + a * sine[j];
  }
}

}  // namespace

Tensor rotate_pairs(const Tensor& given, const Tensor& given_cosine, const Tensor& given_sine, PairLayout layout) {
  if (given.rank() == 0) fail<ShapeError>("rotate_pairs: (): a single number has no pairs");
  require_turns(given, given_cosine, given_sine);
  const auto dense = [](const Tensor& x) { return x.strides().back() == 1 ? x : contiguous(x); };
  const Tensor x = dense(given), cosine = dense(given_cosine), sine = dense(given_sine);
  const Shape rows = x.shape().without(-1), turns = x.shape().with(-1, cosine.size(-1));
  const auto steps = [&](const Tensor& of) { return loops::broadcast_strides(of, turns).without(-1); };
  const loops::Walk<3> walk(rows, {x.strides().without(-1), steps(cosine), steps(sine)});
  return dispatch_float("rotate_pairs", x.dtype(), [&]<class T>(T) {
    Tensor made = empty(x.shape(), x.dtype());
    T* out = made.writable<T>();
    const T *from = x.data<T>(), *cosines = cosine.data<T>(), *sines = sine.data<T>();
    const std::int64_t size = x.size(-1), pairs = cosine.size(-1);
    const auto one_row = [&](const T* in, const T* c, const T* s, T* to) {
      rotate_row(in, c, s, pairs, layout == PairLayout::interleaved ? 1 : pairs, to);
      std::copy(in + 2 * pairs, in + size, to + 2 * pairs);
    };
    parallel_for(rows.numel(), items_of_a_task(size), [&](std::int64_t begin, std::int64_t end) {
      walk.run(begin, end, [&](std::int64_t row, const auto& at, std::int64_t count) {
        const auto& step = walk.row_steps();
        for (std::int64_t i = 0; i < count; ++i)
          one_row(from + at[0] + i * step[0], cosines + at[1] + i * step[1], sines + at[2] + i * step[2],
                  out + (row + i) * size);
      });
    });
    return made;
  });
}

}  // namespace regard
