// What one recorded operation costs where there is nothing to compute: chains of operations on a single number, built,
// run backward and destroyed. The time an operation is one item's time. scalar_chain.py measures PyTorch likewise.
#include "autograd/all.h"

#include <benchmark/benchmark.h>

using namespace regard;

namespace {

template <class Step>
void chain(benchmark::State& state, Step step) {
  const auto length = state.range(0);
  for (auto _ : state) {
    Variable x = parameter(tensor(0.5, DType::f64));
    Variable y = x;
    for (std::int64_t i = 0; i < length; ++i) y = step(y, x);
    y.backward();
    benchmark::DoNotOptimize(x.gradient().item());
  }
  state.SetItemsProcessed(state.iterations() * length);
}

void chain_tanh(benchmark::State& state) {
  chain(state, [](const Variable& y, const Variable&) { return tanh(y); });
}

void chain_multiply(benchmark::State& state) {
  chain(state, [](const Variable& y, const Variable& x) { return y * x; });
}

void chain_add_number(benchmark::State& state) {
  chain(state, [](const Variable& y, const Variable&) { return y + 1.0; });
}

}  // namespace

BENCHMARK(chain_tanh)->Arg(1000)->Arg(200000);
BENCHMARK(chain_multiply)->Arg(1000)->Arg(200000);
BENCHMARK(chain_add_number)->Arg(1000)->Arg(200000);

BENCHMARK_MAIN();
