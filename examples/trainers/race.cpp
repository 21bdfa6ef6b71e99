#include "examples/trainers/race.h"

#include "examples/trainers/descend.h"

namespace regard::race {
namespace {

constexpr std::int64_t most_numbers = 10000, batch_size = 32, tested = 512;

}  // namespace

Run::Run(std::size_t number, const Kind& of, std::int64_t width, std::int64_t n, Generator& g)
    : kind(number), distance(n), racer(of.make(width, of.layers, g)), optimizer(nn::parameters(*racer)) {}

double Run::learn(const Batch& batch, double rate) {
  return descend(*racer, optimizer, rate, batch.answers, [&](const Part& part) {
    return cross_entropy_share((*racer)(part(batch.tokens)), part(batch.answers));
  });
}

void Run::examine(const Batch& batch) {
  const NoGrad no_grad;
  const Tensor guesses = argmax((*racer)(batch.tokens).value(), -1);
  accuracy = mean(to(equal(guesses, batch.answers), DType::f64)).item();
}

Race::Race(std::vector<std::int64_t> at, Generator& g) : distances(std::move(at)) {
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    widths.push_back(widest(kinds[i], most_numbers));
    for (const std::int64_t n : distances) runs.emplace_back(i, kinds[i], widths[i], n, g);
  }
}

std::vector<nn::NamedMember> Race::state() {
  std::vector<nn::NamedMember> parts;
  for (Run& run : runs) {
    const std::string name = fmt::format("{} {}", kinds[run.kind].name, run.distance);
    parts.push_back({name + ".racer", *run.racer});
    parts.push_back({name + ".optimizer", run.optimizer});
  }
  return parts;
}

double Race::learn(std::int64_t step, std::uint64_t seed, double rate) {
  double sum = 0;
  Generator lessons(seed, static_cast<std::uint64_t>(step + 1) << 32);
  for (const std::int64_t n : distances) {
    const Batch batch = draw_batch(batch_size, n, lessons);
    for (Run& run : runs)
      if (run.distance == n) sum += run.learn(batch, rate);
  }
  return sum / static_cast<double>(runs.size());
}

void Race::examine(std::uint64_t seed) {
  Generator fresh(seed, std::uint64_t{1} << 63);
  for (const std::int64_t n : distances) {
    const Batch batch = draw_batch(tested, n, fresh);
    for (Run& run : runs)
      if (run.distance == n) run.examine(batch);
  }
}

Curves Race::at_distances(const std::function<double(const Run&)>& of) const {
  Curves curves{{distances.begin(), distances.end()}, std::vector<std::vector<double>>(kinds.size())};
  for (const Run& run : runs) curves.y[run.kind].push_back(of(run));
  return curves;
}

Curves Race::accuracies() const {
  return at_distances([](const Run& run) { return run.accuracy; });
}

std::vector<double> Race::accuracies(std::size_t kind, bool seen) const {
  std::vector<double> result;
  for (const Run& run : runs)
    if (run.kind == kind && kinds[kind].sees(run.distance) == seen) result.push_back(run.accuracy);
  return result;
}

Curves Race::paths() const {
  return at_distances([&](const Run& run) {
    return path_length(kinds[run.kind], widths[run.kind], kinds[run.kind].must_layer(run.distance), run.distance);
  });
}

int Race::seen_too_soon() const {
  int count = 0;
  for (const Run& run : runs) {
    const std::int64_t fewer = kinds[run.kind].must_layer(run.distance) - 1;
    if (fewer > 0 && path_length(kinds[run.kind], widths[run.kind], fewer, run.distance) >= 0) ++count;
  }
  return count;
}

}  // namespace regard::race
