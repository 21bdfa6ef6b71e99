// 36. A block with the norm first · grade 1 · chapter 09_blocks
//
// A block is two lines, and there are many ways to write them. All have the right shape, and all train on a small
// example. In one of them little is left of the gradient after a dozen blocks. In another the straight way back exists,
// but the second step does not see what the first one has found.
//
// Write the block with the norm first, pre-norm: two steps, attention and the feed-forward part, each in a residual
// with a norm of its own. The four parts are given as functions. What they do does not matter to the block; the first
// check has parts that one can compute with on paper.
//
// Hint: y = x + f(norm(x)), twice. Which x has the second step?
#include "examples/exercises/exercise.h"
#include "nn/all.h"

#include <functional>

using namespace regard;

using Part = std::function<Variable(const Variable& x)>;
struct Parts {
  Part norm_1, attention;     // of the first step
  Part norm_2, feed_forward;  // of the second step
};

// TODO: return what the block makes of x.
Variable block(const Variable& x, const Parts& of) {
  const Variable y = of.norm_1(x + of.attention(x));
  return of.norm_2(y + of.feed_forward(y));
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    // "Attention" adds up the words so far; the other three treat each number by itself.
    const Parts of{.norm_1 = [](const Variable& x) { return 2 * x + 1; },
                   .attention = [](const Variable& x) { return cumsum(x, 0); },
                   .norm_2 = [](const Variable& x) { return 3 - x; },
                   .feed_forward = [](const Variable& x) { return square(x); }};
    const Variable x = tensor({{1, 0}, {0, 1}, {1, 1}}, DType::f64);
    const Variable first = of.attention(of.norm_1(x)), y = x + first;  // y = (4, 1), (4, 5), (8, 8)
    const auto second = [&](const Variable& in) { return of.feed_forward(of.norm_2(in)); };
    const Variable post = of.norm_1(x + of.attention(x)), normed = of.norm_1(x) + first;
    exercises::expect(
        "block, with norm_1 = 2·x + 1, attention = sum of the words so far, norm_2 = 3 − x, feed_forward = x²",
        block(x, of).value(), tensor({{5, 5}, {5, 9}, {33, 33}}, DType::f64),
        {{of.norm_2(post + of.feed_forward(post)).value(),
          "This is post-norm: each sum is normed, so there is a norm in the straight way. Here f gets norm(x), and the "
          "sum is left as it is."},
         {(x + first + second(x)).value(),
          "The second step has worked on x. It should see what attention has found: it works on y, the result of the "
          "first."},
         {(x + second(y)).value(), "The second step adds to x, and what attention found is lost. It adds to y."},
         {(of.norm_2(normed) + second(normed)).value(), "The norm of x is added. What is added to is x itself."},
         {(of.norm_2(y) + second(y)).value(),
          "In the second step the norm of y is added. What is added to is y itself."},
         {(normed + second(normed)).value(), "In the first step the norm of x is added. What is added to is x itself."},
         {second(first).value(), "Both residuals are missing: each step adds to its input."},
         {(first + second(first)).value(), "In the first step the residual is missing."},
         {second(y).value(), "In the second step the residual is missing."},
         {(x + of.attention(x) + second(x + of.attention(x))).value(), "Attention has got x without the norm."},
         {(x + of.norm_1(of.attention(x)) + of.norm_2(of.feed_forward(x + of.norm_1(of.attention(x))))).value(),
          "The norms stand behind attention and the feed-forward part. They stand in front of them."},
         {y.value(), "That is the first step. The second is the feed-forward part."},
         {(y + of.feed_forward(of.norm_1(y))).value(), "Both steps have used norm_1. Each has one of its own."},
         {(y + of.feed_forward(y)).value(), "The feed-forward part has got y without the norm."},
         {of.norm_2(y + second(y)).value(), "There is a norm at the end. It stands after the last block, once."}});

    Generator random(36);
    nn::EncoderLayer layer(
        nn::ScaledDotProduct{},
        {.model = 8, .heads = 2, .hidden = 16, .placement = nn::NormPlacement::pre, .dtype = DType::f64}, random);
    const Variable words = normal({1, 5, 8}, random, 0, 1, DType::f64);
    const Parts real{.norm_1 = [&](const Variable& in) { return layer.around_attention.norm(in); },
                     .attention = [&](const Variable& in) { return layer.attention(in, in, in).output; },
                     .norm_2 = [&](const Variable& in) { return layer.around_feed_forward.norm(in); },
                     .feed_forward = [&](const Variable& in) { return layer.feed_forward(in); }};
    exercises::expect("block, with the parts of an nn::EncoderLayer", block(words, real).value(),
                      layer(words).output.value());
  });
}
