#pragma once

#include <cstdint>

namespace regard::optim {

// How the learning rate changes over training. A schedule is a function of t, the number of steps made so far, and has
// no state: where the optimizer goes on, so does the schedule.
//
//   const WarmupCosine schedule{.peak = 1e-3, .warmup = 100, .total = 1000};
//   optimizer.set_learning_rate(schedule(optimizer.steps()));
//   optimizer.step();

// A straight line from `start` down to `end`, which is reached at t = total and kept.
struct LinearDecay {
  double start;
  std::int64_t total;
  double end = 0;
  double operator()(std::int64_t t) const;
};

// Step number t + 1: up to `peak` in equal steps, the last of which is number `warmup`; then down as 1/√number:
//   peak · min((t + 1)/warmup, √(warmup/(t + 1)))
// The schedule of "Attention is all you need" is the one with peak = 1/√(E·warmup).
struct WarmupInverseSqrt {
  double peak;
  std::int64_t warmup;
  double operator()(std::int64_t t) const;
};

// Up to `peak` in the same way; from t = warmup on half a wave of a cosine down to `end`, which is reached at t = total
// and kept:
//   end + (peak − end)·(1 + cos(π·(t − warmup)/(total − warmup)))/2
struct WarmupCosine {
  double peak;
  std::int64_t warmup, total;
  double end = 0;
  double operator()(std::int64_t t) const;
};

}  // namespace regard::optim
