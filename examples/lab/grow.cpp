// Grow a head: a transformer of two layers learns to reverse or to sort eight digits, with positions or without.
#include "examples/lab/functions.h"
#include "nn/all.h"

#include <memory>

namespace regard::lab {
namespace {

constexpr std::int64_t vocabulary = 10, length = 8, width = 32, heads = 4, layers = 2, batch = 32, steps = 400;

enum class Positions { none, sinusoidal, rotary, alibi };

struct Pupil {
  Generator random;
  bool sorts;
  Positions positions;
  nn::Embedding embedding;
  nn::EncoderStack encoder;
  nn::Linear out;
  optim::Adam optimizer;
  std::int64_t step = 0;
  Tensor test;

  Pupil(bool to_sort, Positions kind, std::uint64_t seed)
      : random(seed),
        sorts(to_sort),
        positions(kind),
        embedding({.count = vocabulary, .size = width}, random),
        encoder(score(kind),
                {.layers = layers,
                 .layer = {.model = width, .heads = heads, .hidden = 2 * width, .placement = nn::NormPlacement::pre}},
                random),
        out({.in = width, .out = vocabulary}, random),
        optimizer(nn::parameters(*this)),
        test(texts(200)) {}

  void visit(nn::Visitor& v) {
    v("embedding", embedding);
    v("encoder", encoder);
    v("out", out);
  }

  static nn::AnyScore score(Positions kind) {
    if (kind == Positions::rotary) return nn::Rotary(nn::ScaledDotProduct{}, nn::RotaryLayout::halves);
    if (kind == Positions::alibi) return nn::Alibi(nn::ScaledDotProduct{}, heads);
    return nn::ScaledDotProduct{};
  }
  Tensor texts(std::int64_t count) { return to(uniform({count, length}, random, 0, vocabulary), DType::i64); }
  Tensor answer(const Tensor& text) const { return sorts ? sort(text, 1) : contiguous(flip(text, 1)); }

  struct Made {
    Variable logits;
    std::vector<nn::LayerWeights> weights;
  };
  Made operator()(const Tensor& text, const Variable& head_mask) {
    Variable x = embedding(text);
    if (positions == Positions::sinusoidal) x = nn::SinusoidalPositions{}(x);
    auto made = encoder(x, {}, {.weights = true, .head_mask = head_mask});
    return {out(made.output), std::move(made.weights)};
  }

  double learn() {
    const optim::WarmupCosine schedule{.peak = 5e-3, .warmup = 40, .total = steps};
    const Tensor text = texts(batch);
    optimizer.zero_grad();
    const Variable loss = nn::cross_entropy_loss((*this)(text, Variable(ones({layers, heads}))).logits, answer(text));
    loss.backward();
    optim::clip_norm(nn::parameters(*this), 1);
    optimizer.set_learning_rate(schedule(step++));
    optimizer.step();
    return loss.item();
  }
};
std::unique_ptr<Pupil> pupil;

Pupil& the_pupil() {
  if (!pupil) fail<ValueError>("grow: there is no model yet");
  return *pupil;
}

}  // namespace
}  // namespace regard::lab

using namespace regard;
using lab::Answer, lab::answer, lab::the_pupil;

// A new model. positions: 0 none, 1 sinusoidal, 2 rotary, 3 ALiBi. The answer: how many steps it will learn.
LAB int grow_begin(int sorts, int positions, int seed) {
  return answer([&](Answer& out) {
    lab::pupil = std::make_unique<lab::Pupil>(sorts != 0, static_cast<lab::Positions>(positions),
                                              static_cast<std::uint64_t>(seed));
    out.add(static_cast<double>(lab::steps));
  });
}

// So many steps of training. The answer: the loss of the last one, and how many there have been.
LAB int grow_learn(int steps) {
  return answer([&](Answer& out) {
    auto& own = the_pupil();
    double loss = 0;
    for (int i = 0; i < steps; ++i) loss = own.learn();
    out.add(loss);
    out.add(static_cast<double>(own.step));
  });
}

// Eight digits, and a mask of the eight heads → what it answers (8), what is right (8), the weights of all heads
// (layers, H, L, L).
LAB int grow_look(const double* digits, int count, const double* heads, int head_count) {
  return answer([&](Answer& out) {
    const NoGrad no_grad;
    auto& own = the_pupil();
    const Tensor mask = lab::head_mask(heads, head_count, lab::layers, lab::heads);
    const Tensor text = to(tensor(std::vector<double>(digits, digits + count), {1, count}, DType::f64), DType::i64);
    const auto made = own(text, mask);
    out.add(argmax(made.logits.value(), -1));
    out.add(own.answer(text));
    for (const nn::LayerWeights& layer : made.weights) out.add(layer.self.value());
  });
}

// The share of digits that are right in sequences never seen, with these heads.
LAB int grow_accuracy(const double* heads, int head_count) {
  return answer([&](Answer& out) {
    const NoGrad no_grad;
    auto& own = the_pupil();
    const Tensor mask = lab::head_mask(heads, head_count, lab::layers, lab::heads);
    const Tensor guess = argmax(own(own.test, mask).logits.value(), -1);
    out.add(mean(to(equal(guess, own.answer(own.test)), DType::f64)));
  });
}
