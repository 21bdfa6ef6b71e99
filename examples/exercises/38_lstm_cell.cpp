// 38. An LSTM cell · grade 2 · chapter 10_recurrent_models
//
// In the chapter, each word multiplied the gradient by 0.9242, and after 100 words 0.0004 of it was left. The LSTM of
// 1997 has a way past this product: beside the state h it carries a memory c, which is only scaled and added to:
//   c′ = f ⊙ c + i ⊙ g        h′ = o ⊙ tanh c′
// The candidate g is a tanh, as the state of the plain network was. The gates i, f and o are sigmoids. They say how
// much is written, kept and shown. All four are made of the word x and the state h in the same way, from
// W_ih·x + W_hh·h + b. Each has H rows of W_ih, of W_hh and of b, and they stand in the order i, f, g, o.
//
// Hint: All four products are one: linear(x, w_ih, b) + linear(h, w_hh) has 4H columns. Then split(…, {H, H, H, H}, -1)
// cuts them apart. Which of the four functions is not a sigmoid?
#include "autograd/all.h"
#include "examples/exercises/exercise.h"
#include "nn/recurrent/cells.h"

#include <cmath>

using namespace regard;

// TODO: one step of the LSTM, for x (B, E), h and c (B, H), w_ih (4H, E), w_hh (4H, H) and b (4H). You may use all
// operations on Variables, but not the library's own LSTM.
nn::LSTMState lstm_step(const Variable& x, const nn::LSTMState& before, const Variable& w_ih, const Variable& w_hh,
                        const Variable& b) {
  return before;
}

// ---- This is what checks it. ----

namespace {

Tensor numbers(const Nested& rows) { return tensor(rows, DType::f64); }

// One number of each kind: i = 2/3, f = 4/5, g = 1/3 and o = 1/2.
void check_on_paper() {
  const Variable w_ih = std::log(2) * numbers({{1}, {2}, {0.5}, {0}}), w_hh = numbers({{0}, {0}, {0}, {0}});
  const auto [h, c] = lstm_step(numbers({{1}}), {numbers({{0}}), numbers({{1}})}, w_ih, w_hh, numbers({0, 0, 0, 0}));
  exercises::expect("c′ for i = 2/3, f = 4/5, g = 1/3 and c = 1", c.value(), numbers({{46.0 / 45}}),
                    {{numbers({{1}}), "This is the memory as it was. What is kept of it, and what is added?"},
                     {numbers({{14.0 / 15}}), "i and f have changed places: the old memory is multiplied by f."},
                     {numbers({{0.8}}), "Nothing was added. Is g the third of the four, and o the last?"},
                     {numbers({{0.8 + 2.0 / 3 * 0.5857864376269049}}),
                      "g is a candidate and no gate: it is a tanh, so that it can be negative."},
                     {numbers({{13.0 / 15}}),
                      "That is the mean of a GRU, f·c + (1 − f)·g. In an LSTM a gate of its own, i, says how much is "
                      "written: it can keep all, and write, too."},
                     {numbers({{17.0 / 15}}), "The candidate goes into the memory whole. The gate i is not used."}});
  exercises::expect("h′ for o = 1/2 and c′ = 46/45", h.value(), numbers({{std::tanh(46.0 / 45) / 2}}),
                    {{numbers({{0}}), "Is this the state as it was? Or is o not yet a sigmoid?"},
                     {numbers({{23.0 / 45}}), "A memory can grow without end. A tanh keeps what is shown below 1."},
                     {numbers({{std::tanh(1) / 2}}), "This shows the memory before the step, c, and not c′."},
                     {numbers({{std::tanh(46.0 / 45)}}), "All of the memory is shown. The gate o is not used."}});
}

void check_against_library() {
  Generator generator(1);
  const nn::LSTMCell cell({.in = 3, .hidden = 2, .dtype = DType::f64}, generator);
  const auto rows = [&](std::int64_t size) { return normal({2, size}, generator, 0, 1, DType::f64); };
  const Variable x = rows(3), h = rows(2), c = rows(2), nothing = zeros({2, 2}, DType::f64);
  const nn::CellWeights& w = cell.weights;
  const auto mine = lstm_step(x, {h, c}, w.weight_ih, w.weight_hh, w.bias_ih + w.bias_hh);
  const auto right = cell(x, {h, c}), deaf = cell(x, {nothing, c});
  exercises::expect("h′ of two texts, with a state of two numbers", mine.h.value(), right.h.value(),
                    {{deaf.h.value(), "The gates do not see the state h: what has W_hh to do with it?"}});
  exercises::expect("c′ of two texts", mine.c.value(), right.c.value());
}

// With gates that always keep 0.99, 0.99¹⁰⁰ of the gradient is left after 100 words.
void check_memory() {
  const Variable first = parameter(numbers({{0.5}})), none = numbers({{0}, {0}, {0}, {0}});
  nn::LSTMState now{numbers({{0}}), first};
  for (int word = 0; word < 100; ++word)
    now = lstm_step(numbers({{0}}), now, none, none, numbers({0, std::log(99), 0, 0}));
  exercises::expect(now.c.requires_grad(),
                    "No gradient comes back through the memory: a value() in your step forgets how it was made.");
  exercises::expect("the slope of the memory after 100 words of f = 0.99", grad({sum(now.c)}, {first})[0].item(),
                    std::pow(0.99, 100));
}

}  // namespace

int main() {
  return exercises::exercise([] {
    check_on_paper();
    check_against_library();
    check_memory();
  });
}
