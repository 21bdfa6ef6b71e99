// 39. One step of Bahdanau's decoder · grade 3 · chapter 10_recurrent_models
//
// This is where attention in networks began. A translator has read a sentence and kept the state of its encoder at each
// word, s₁ … s_n. It has just written a word, y, and its own state is h. Before it goes on it asks: which words of the
// source matter now? It compares h with each sⱼ by a small network, takes the mean of the states with the weights that
// come out, and reads that mean, the context, together with y:
//   scoreⱼ = w_v · tanh(W_q·h + W_k·sⱼ)     context = Σⱼ αⱼ·sⱼ     h′ = GRU([y; context], h)
// Here it works on B sentences at once. Shorter ones are padded, and nobody may look at padding.
//
// Hint: Give h an axis for the words of the source, with unsqueeze: (B, 1, A) + (B, n, A) is every sum that is needed.
// At the end the context is the product of a (B, 1, n) with a (B, n, M). A score of −∞ has the weight 0.
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/attention/mask.h"
#include "nn/attention/scores/additive.h"
#include "nn/recurrent/decoder.h"

#include <cmath>

using namespace regard;

struct Decoder {
  Variable w_q, w_k, w_v;  // (A, H), (A, M), (A): the score
  nn::GRUCell cell;        // cell(x, h) is the next state; it reads E + M features
};

struct Step {
  Variable h, context, weights;  // h′ (B, H), (B, M), (B, n)
};

// TODO: one step, for y (B, E), h (B, H) and states (B, n, M). `real` (B, n) is 1 at words and 0 at padding. You may
// use all operations on Variables, but not the library's scores, attention and decoders.
Step step(const Decoder& decoder, const Variable& y, const Variable& h, const Variable& states, const Tensor& real) {
  const Variable context = mean(states, 1);
  return {decoder.cell(cat({y, context}, -1), h), context, Variable(ones(real.shape(), DType::f64)) / states.size(1)};
}

// ---- This is what checks it. ----

namespace {

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

// The look of the chapter: our three words are the states, and the weights are 4/7, 1/7 and 2/7.
void check_look_on_paper() {
  Generator generator(1);
  const double ln2 = std::log(2);
  const Decoder decoder{numbers({{1}}), 0.5 * ln2 * numbers({{1, -1}}), numbers({3 * ln2}),
                        nn::GRUCell(ResetGate::after_product, {.in = 3, .hidden = 1, .dtype = DType::f64}, generator)};
  const Variable y = numbers({{0.5 * ln2}}), states = numbers({{{1, 0}, {0, 1}, {1, 1}}});
  const Step now = step(decoder, y, numbers({{0}}), states, numbers({{1, 1, 1}}));
  exercises::expect(
      "the context of the chapter's look, with h = 0", now.context.value(), numbers({{6.0 / 7, 3.0 / 7}}),
      {{numbers({{2.0 / 3, 2.0 / 3}}),
        "All words of the source count alike, whatever the state of the decoder is. Give each a weight."},
       {numbers({{2, 2}}), "Every weight is 1. Over which axis runs your softmax? There is one query."},
       {numbers({{0.845731441, 0.462805677}}), "That is what the word y would ask for. Who asks is the state h."},
       {numbers({{0.862680097, 0.419626241}}), "The tanh is missing: the sum W_q·h + W_k·s goes through it."},
       {numbers({{0.769762784, 0.551559136}}), "w_v is missing: the tanh is multiplied by it."},
       {numbers({{ln2, -ln2}}), "This is a sum with the scores. First make weights of them, by softmax."}});
  exercises::expect("the weights of the chapter's look", now.weights.value(), numbers({{4.0 / 7, 1.0 / 7, 2.0 / 7}}));
}

// Two sentences of four and of two words, and three steps one after another.
void check_against_library() {
  Generator generator(2);
  const nn::AdditiveScore score({.query_size = 3, .key_size = 3, .hidden = 5, .dtype = DType::f64}, generator);
  const nn::AttentionDecoder library(score, ResetGate::after_product,
                                     {.in = 3, .hidden = 3, .memory = 3, .dtype = DType::f64}, generator);
  const auto random = [&](const Shape& shape) { return normal(shape, generator, 0, 1, DType::f64); };
  const Tensor real = numbers({{1, 1, 1, 1}, {1, 1, 0, 0}});
  const Variable states = where(unsqueeze(real, -1), random({2, 4, 3}), 9.0);
  const auto memory = library.remember({.states = states, .mask = nn::Mask::valid_lengths({4, 2})});
  const auto with_padding = library.remember({.states = states});
  const Decoder decoder{score.w_q.weight, score.w_k.weight, reshape(score.w_v.weight, {5}), library.cell};

  Variable h = random({2, 3});
  for (int t = 0; t < 3; ++t) {
    const Variable y = random({2, 3});
    const Step now = step(decoder, y, h, states, real);
    const nn::DecoderStep right = library.step(y, h, memory);
    const auto read = [&](const Variable& first, const Variable& second, const Variable& state) {
      return library.cell(cat({first, second}, -1), state).value();
    };
    const nn::DecoderStep all = library.step(y, h, with_padding);
    const Variable cut = squeeze(matmul(unsqueeze(all.weights * Variable(real), 1), states), 1);
    exercises::expect("the contexts of two sentences, the second padded", now.context.value(), right.context.value(),
                      {{all.context.value(), "The second sentence looks at its padding."},
                       {cut.value(),
                        "Padding got a weight before that was set to 0, so the others do not sum to 1. Take its score "
                        "away before the softmax."}});
    exercises::expect("the state after the step", now.h.value(), right.h.value(),
                      {{h.value(), "This is the state before the step. The cell has not read anything."},
                       {read(right.context, y, h), "[y; context] has the word first. Here the two are exchanged."},
                       {read(y, right.context, zeros({2, 3}, DType::f64)),
                        "The cell begins from nothing: it needs the state before the step."}});
    h = right.h;
  }
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_look_on_paper();
    check_against_library();
  });
}
