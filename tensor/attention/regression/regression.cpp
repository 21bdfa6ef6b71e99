#include "tensor/attention/regression/regression.h"

#include "tensor/attention/engine/softmax_rows.h"
#include "tensor/attention/regression/stretch.h"
#include "tensor/create.h"
#include "tensor/memory/scratch.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tensor/threads/parallel.h"
#include "tensor/view.h"

namespace regard {

using namespace engine;

namespace {

template <class T>
struct RegressionPoints {
  std::vector<T> x, y, bend;  // filled up to whole packs; the score of a pair is bend·d², in powers of 2
  std::int64_t count;         // those that count
  bool leave_one_out;
  std::vector<Stretch<T>> stretches;
  T lowest;  // the logarithm of powers that are too small to change a sum

  std::int64_t padded() const { return std::ssize(x); }
};

// Fused attention computes the powers e of all pairs twice, once forward and once backward, since it cannot know what
// is made of its outputs in between. Here that is known: a squared error, so the slope of the loss at ŷᵢ is there when
// a row is done, and one pass will do. With eᵢⱼ = e^−(dᵢⱼ·wⱼ)²/2, d = xᵢ − xⱼ, and sᵢ = Σⱼ eᵢⱼ:
//
//   ∂L/∂wⱼ = −wⱼ·Σᵢ gᵢ/sᵢ·(yⱼ − ŷᵢ)·(e·d²)ᵢⱼ        gᵢ = 2(ŷᵢ − yᵢ)/n
//
// A few queries pass over the keys together, so that keys are loaded and gradients are stored once for all of them.
// e·d² is kept from the first pass over the keys for the second, which then takes two multiply-adds for a pair.
// Exponents are at most 0, so nothing is subtracted from them unless a sum is next to nothing. Stretches of keys that
// are too far away to change a sum are passed over, and get no gradient from there: where points are sorted, and widths
// are small, that is most of them.
template <class T>
class RegressionStep {
 public:
  explicit RegressionStep(const RegressionPoints<T>& points)
      : points_(points),
        x_(points.x.data()),
        y_(points.y.data()),
        bend_(points.bend.data()),
        count_(points.count),
        padded_(points.padded()),
        kept_(together * padded_) {}

  // Adds to the gradient of all keys, before the factor −wⱼ, what queries [first, last) contribute; returns their loss.
  T run(std::int64_t first, std::int64_t last, T* gradient) {
    T loss = 0;
    for (std::int64_t i = first; i < last; i += together) {
      P step[together], step_at_mean[together];
      find_seen(i, std::min(i + together, last));
      sums(i);
      if (*std::min_element(total_, total_ + std::min<std::int64_t>(together, last - i)) < little) {
        see_all();
        sums(i);
        for (int n = 0; n < together && i + n < last; ++n)
          if (total_[n] < little) sums_from_afar(i + n, n);
      }
      for (int n = 0; n < together; ++n) {
        const bool is_real = i + n < last && total_[n] != 0;
        const T fitted = is_real ? mixed_[n] / total_[n] : 0, error = i + n < last ? fitted - y_[i + n] : 0;
        const T slope = is_real ? 2 * error / static_cast<T>(count_) / total_[n] : 0;
        loss += error * error;
        step[n] = slope;
        step_at_mean[n] = slope * fitted;
      }
      for_seen_packs([&](std::int64_t j) __attribute__((always_inline)) {
        P sum = P::load(gradient + j);
        const P value = P::load(y_ + j);
#pragma GCC unroll 4
        for (int n = 0; n < together; ++n)
          sum = sum + (step[n] * value - step_at_mean[n]) * P::load(kept_.data() + n * padded_ + j);
        sum.store(gradient + j);
      });
    }
    return loss;
  }

 private:
  using P = Pack<T>;
  static constexpr int together = P::size < 4 ? P::size : 4;
  const T little = std::exp2(static_cast<T>(almost_nothing));

  void see_all() {
    seen_.clear();
    for (const Stretch<T>& one : points_.stretches) seen_.push_back(&one);
  }
  void find_seen(std::int64_t first, std::int64_t last) {
    const auto [low, high] = std::minmax_element(x_ + first, x_ + last);
    seen_.clear();
    for (const Stretch<T>& one : points_.stretches)
      if (!one.is_out_of_sight(*low, *high, points_.lowest)) seen_.push_back(&one);
  }
  template <class Body>
  [[gnu::always_inline]] void for_seen_packs(const Body& body) const {
    for (const Stretch<T>* one : seen_)
      for (std::int64_t j = one->begin; j < one->end; j += P::size) body(j);
  }

  // Row sums of e and of e·y for the queries from i on; e·d² is kept.
  void sums(std::int64_t i) {
    P total[together], mixed[together];
    for (int n = 0; n < together; ++n) total[n] = mixed[n] = 0;
    const auto one_pack = [&](std::int64_t j, auto own) __attribute__((always_inline)) {
      const P key = P::load(x_ + j), value = P::load(y_ + j), bend = P::load(bend_ + j);
#pragma GCC unroll 4
      for (int n = 0; n < together; ++n) {
        const P distance = P(x_[i + n]) - key, square = distance * distance;
        P power = power_of_two(square, bend);
        if constexpr (decltype(own)::value) power.lanes[i + n - j] = 0;
        total[n] = total[n] + power;
        mixed[n] = mixed[n] + power * value;
        (power * square).store(kept_.data() + n * padded_ + j);
      }
    };
    // Queries are together in one pack of keys: there each leaves itself out.
    const std::int64_t own = points_.leave_one_out ? i / P::size * P::size : padded_;
    for_seen_packs([&](std::int64_t j) __attribute__((always_inline)) {
      if (j == own)
        one_pack(j, std::true_type{});
      else
        one_pack(j, std::false_type{});
    });
    for (int n = 0; n < together; ++n) {
      total_[n] = sum_of_lanes(total[n]);
      mixed_[n] = sum_of_lanes(mixed[n]);
    }
  }

  // The same for one query that is far from all keys: the largest exponent is subtracted. All are stored first, since
  // the largest has to be one of them to the last bit: exponents of many millions are rounded by more than the range of
  // powers, and inside a fused multiply-add they would not be rounded alike.
  void sums_from_afar(std::int64_t i, int n) {
    T* row = kept_.data() + n * padded_;
    const auto square_at = [&](std::int64_t j) {
      const P distance = P(x_[i]) - P::load(x_ + j);
      return distance * distance;
    };
    for (std::int64_t j = 0; j < padded_; j += P::size) (square_at(j) * P::load(bend_ + j)).store(row + j);
    if (points_.leave_one_out) row[i] = -std::numeric_limits<T>::infinity();
    const T largest = *std::max_element(row, row + count_);
    const bool sees_nothing =
        points_.leave_one_out && count_ == 1;  // if not, and all is −∞, there is no answer: −∞ − −∞ is NaN
    const T subtracted = sees_nothing ? 0 : largest;
    P total = 0, mixed = 0;
    for (std::int64_t j = 0; j < padded_; j += P::size) {
      const P power = power_of_two(P::load(row + j) - subtracted, 1);
      total = total + power;
      mixed = mixed + power * P::load(y_ + j);
      (power * square_at(j)).store(row + j);
    }
    total_[n] = sum_of_lanes(total);
    mixed_[n] = sum_of_lanes(mixed);
  }

  const RegressionPoints<T>& points_;
  const T *x_, *y_, *bend_;
  const std::int64_t count_, padded_;
  std::vector<const Stretch<T>*> seen_;  // by some of the queries at hand
  Scratch<T> kept_;
  T total_[together], mixed_[together];
};

// The numbers of x, filled up to whole packs.
template <class T>
std::vector<T> filled_up(const Tensor& x, std::int64_t padded, T with) {
  std::vector<T> numbers(static_cast<std::size_t>(padded), with);
  const Tensor dense = contiguous(x);
  std::copy_n(dense.data<T>(), dense.numel(), numbers.begin());
  return numbers;
}

template <class T>
RegressionResult step(const Tensor& x, const Tensor& y, const Tensor& w, bool leave_one_out) {
  constexpr std::int64_t tasks = 16;  // a row of gradients for each
  constexpr T nothing = -std::numeric_limits<T>::infinity();
  const std::int64_t count = x.numel(), padded = (count + Pack<T>::size - 1) / Pack<T>::size * Pack<T>::size;
  const std::int64_t height = (count + 4 * tasks - 1) / (4 * tasks) * 4;
  // Keys that only fill up stand apart from all queries, so that their exponent is −∞. A step of 1 would be rounded
  // away from large numbers.
  const double largest = max(x).item();
  const T apart = static_cast<T>(largest + std::max(1.0, std::abs(largest)));
  RegressionPoints<T> points{filled_up<T>(x, padded, apart),
                             filled_up<T>(y, padded, 0),
                             filled_up<T>(multiply(square(w), -0.5 * log2_e), padded, nothing),
                             count,
                             leave_one_out,
                             {},
                             0};
  points.stretches = stretches_of(points.x, points.bend);
  points.lowest = lowest_seen(points.x.data(), points.y.data(), count);
  Tensor gradients = zeros({tasks, padded}, x.dtype()), losses = zeros({tasks}, x.dtype());
  T *rows = gradients.writable<T>(), *loss = losses.writable<T>();
  parallel_for(tasks, 1, [&](std::int64_t begin, std::int64_t end) {
    RegressionStep<T> pass(points);
    for (std::int64_t task = begin; task < end; ++task)
      loss[task] = pass.run(task * height, std::min(count, (task + 1) * height), rows + task * padded);
  });
  return {divide(sum(losses), static_cast<double>(count)),
          multiply(multiply(w, slice(sum(gradients, 0), 0, 0, count)), -1)};
}

}  // namespace

RegressionResult regression_step(const Tensor& x, const Tensor& y, const Tensor& w, bool leave_one_out) {
  require_same_dtype("regression_step", x, y);
  require_same_dtype("regression_step", x, w);
  if (x.rank() != 1 || x.numel() == 0 || y.shape() != x.shape() || w.shape() != x.shape())
    fail<ShapeError>("regression_step: x {}, y {}, w {}: they must be (n), n > 0", x.shape(), y.shape(), w.shape());
  return dispatch_float("regression_step", x.dtype(), [&]<class T>(T) { return step<T>(x, y, w, leave_one_out); });
}

}  // namespace regard
