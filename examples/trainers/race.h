#pragma once

#include "examples/trainers/race_measures.h"

// The recall race: all kinds of racers learn the same task at each of some distances.
namespace regard::race {

// One kind at one distance.
struct Run {
  std::size_t kind;
  std::int64_t distance;
  std::unique_ptr<Racer> racer;
  optim::Adam optimizer;
  double accuracy = 0;  // of the last examination

  Run(std::size_t number, const Kind& of, std::int64_t width, std::int64_t n, Generator& generator);
  double learn(const Batch& batch, double rate);  // a step; returns the loss
  void examine(const Batch& batch);
};

// A curve for each kind, over numbers x that grow by the same factor from one to the next.
struct Curves {
  std::vector<double> x;
  std::vector<std::vector<double>> y;  // of each kind

  double exponent_of(std::size_t kind) const { return exponent(x, y[kind]); }
  // How much a curve grows with x, from its begin to its end.
  double growth_of(std::size_t kind) const { return (y[kind].back() - y[kind].front()) / (x.back() - x.front()); }
};

struct Race {
  std::vector<Kind> kinds = race::kinds();
  std::vector<std::int64_t> widths;  // of each kind
  std::vector<std::int64_t> distances;
  std::vector<Run> runs;  // kind by kind

  Race(std::vector<std::int64_t> at, Generator& generator);
  std::vector<nn::NamedMember> state();

  // A step of all. At each distance all kinds see the same batch, which follows from the seed and the step.
  double learn(std::int64_t step, std::uint64_t seed, double rate);
  void examine(std::uint64_t seed);

  Curves accuracies() const;
  // Those of a kind at the distances where it sees the symbol, or where it does not.
  std::vector<double> accuracies(std::size_t kind, bool seen) const;
  // Operations from the answer back to the symbol, with as many layers as it takes to see it.
  Curves paths() const;
  // What windows see does not depend on luck. How often a racer with a layer less sees the symbol nevertheless: never.
  int seen_too_soon() const;

 private:
  Curves at_distances(const std::function<double(const Run&)>& of) const;
};

}  // namespace regard::race
