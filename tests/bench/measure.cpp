#include "tests/bench/measure.h"

#include "tensor/random/random.h"
#include "tensor/threads/parallel.h"
#include "tests/bench/peers.h"

#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <thread>
#include <tuple>
#include <vector>

namespace regard::bench {
namespace {

using namespace std::chrono_literals;

// Long enough for the spinning threads of whoever was measured before to fall asleep; see `environment` in programs.py.
constexpr auto until_quiet = 15ms;

// Long enough for the system to give every thread a core of its own, and for clocks to rise.
constexpr auto until_warm = 10ms;

std::string name_of(const Key& key, const std::string& who) {
  return key.what + "/t" + std::to_string(key.threads) + "/" + who;
}

// The most memory that this process has had, in bytes.
double peak_memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#ifdef __APPLE__
  return static_cast<double>(usage.ru_maxrss);
#else
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
#endif
}

void use_threads(int count) {
  set_thread_count(count);
  set_peer_threads(count);
}

}  // namespace

void measure(const Key& key, const std::string& who, const Work& work, const Prepare& prepare) {
  benchmark::RegisterBenchmark(name_of(key, who).c_str(), [=](benchmark::State& state) {
    use_threads(key.threads);
    const Run run = prepare();
    std::this_thread::sleep_for(until_quiet);
    const auto start = std::chrono::steady_clock::now();
    do run();
    while (std::chrono::steady_clock::now() - start < until_warm);
    for (auto _ : state) {
      run();
      benchmark::ClobberMemory();
    }
    state.counters["flops"] = work.flops;
    state.counters["bytes"] = work.bytes;
    state.counters["held"] = work.held;
    state.counters["peak"] = peak_memory();
  })->UseRealTime();
}

void measure_seconds(const Key& key, const std::string& who, std::function<double()> run) {
  benchmark::RegisterBenchmark(name_of(key, who).c_str(),
                               [=](benchmark::State& state) {
                                 use_threads(key.threads);
                                 run();
                                 for (auto _ : state) state.SetIterationTime(run());
                               })
      ->UseManualTime()
      ->Iterations(10);
}

Tensor operand(const Shape& shape, int number, DType dtype) {
  static std::map<std::tuple<std::vector<std::int64_t>, int, DType>, Tensor> made;
  Tensor& x = made[{std::vector<std::int64_t>(shape.begin(), shape.end()), number, dtype}];
  if (!x.defined()) {
    Generator generator(static_cast<std::uint64_t>(number));
    x = uniform(shape, generator, -1, 1, dtype);
  }
  return x;
}

}  // namespace regard::bench

int main(int argc, char** argv) {
  try {
    regard::bench::register_measurements();
    for (const regard::bench::Peer& peer : regard::bench::peers())
      if (!peer.version.empty()) benchmark::AddCustomContext("version of " + peer.name, peer.version);
  } catch (const regard::Error& error) {  // a peer that is named and cannot be loaded
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
