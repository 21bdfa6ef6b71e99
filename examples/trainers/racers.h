#pragma once

#include "examples/plot/palette.h"
#include "nn/all.h"

#include <memory>

// The task of the recall race, and the models that run it.
namespace regard::race {

// One of a few symbols, and then n that are noise and never a symbol. Whoever has read all of them says which symbol it
// was.
constexpr std::int64_t symbols = 8, noises = 8;

struct Batch {
  Tensor tokens;   // (B, n + 1)
  Tensor answers;  // (B)
};
Batch draw_batch(std::int64_t count, std::int64_t distance, Generator& generator);

// What all racers do: embed the tokens, read them, and name a symbol from what they have at the last position.
struct Racer {
  nn::Embedding embedding;
  nn::Linear out;

  Racer(std::int64_t width, Generator& generator);
  virtual ~Racer() = default;
  virtual void visit(nn::Visitor& v);
  Variable operator()(const Tensor& tokens) { return out(last(embedding(tokens))); }  // (B, L) → (B, symbols)

  // x (B, L, E) → what stands at the last position, (B, E)
  virtual Variable last(const Variable& x) = 0;
  // The same from tokens (1, E) one by one, in operations that show which position follows from which.
  virtual Variable last_of(const std::vector<Variable>& tokens) { return last(stack(tokens, 1)); }
};

// A kind of racer.
struct Kind {
  std::string name;
  plot::Color color;
  std::string cost;  // of a layer, in the length n, the width d, and the size k of a window
  std::function<std::unique_ptr<Racer>(std::int64_t width, std::int64_t layers, Generator& generator)> make;
  std::int64_t layers;                                            // in the race
  std::function<std::int64_t(std::int64_t distance)> must_layer;  // how many it takes to see the first token
  bool sees(std::int64_t distance) const { return layers >= must_layer(distance); }
};

std::vector<Kind> kinds();

// The widest of a kind that has no more than so many numbers to train.
std::int64_t widest(const Kind& kind, std::int64_t most_numbers);

}  // namespace regard::race
