// 16. A window that keeps the first word · grade 2 · chapter 04_masks
//
// A model has read long texts with full attention. To make it cheaper, each word now sees only the last w words, itself
// included. It works for w words. Then the first word leaves the window, and the model talks nonsense. What had
// happened was found in 2023 (G. Xiao and others, "attention sinks"): the weights of a query must add up to 1, and a
// query that needs nothing had learned to give them to the first word, which everybody sees. The remedy is one more
// key: the first word stays visible to all.
//
// The mask below has the window, and no first word.
//
// Hint: & joins by *and*: a pair must pass both masks. Here it must pass this *or* that, so it has to be one condition.
// Mask::by_position gets the positions as a column and a row. Of tables of 0 and 1, maximum(a, b) is "or", and a * b is
// "and".
#include "examples/exercises/exercise.h"
#include "nn/all.h"

using namespace regard;

// TODO: return the mask in which a query at position p sees the keys at p − width + 1, …, p, and besides them the key
// at 0, but none that comes later. Use whatever the library has.
nn::Mask window_with_first(int width) { return nn::sliding_window(width) & nn::Mask::causal(); }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const auto table = [](const nn::Mask& mask) { return mask.table({5, 5}); };
    const Tensor right = tensor({{1, 0, 0, 0, 0}, {1, 1, 0, 0, 0}, {1, 1, 1, 0, 0}, {1, 0, 1, 1, 0}, {1, 0, 0, 1, 1}});
    const nn::Mask first =
        nn::Mask::by_position("first", [](const auto& q, const auto& k) { return equal(k + 0 * q, 0); });
    const nn::Mask window = nn::sliding_window(2) & nn::Mask::causal(),
                   wider = nn::sliding_window(3) & nn::Mask::causal();
    exercises::expect(
        "five words, width 2", table(window_with_first(2)), right,
        {{table(window), "This is the window alone. In the last three rows the first word is missing."},
         {table(window & first), "& lets a pair pass only if it is in the window and at the first word. Or is meant."},
         {maximum(table(wider), table(first)),
          "The window is one word too wide: with width 2 a word sees itself and the one before it."},
         {maximum(table(nn::sliding_window(1) & nn::Mask::causal()), table(first)),
          "The window is one word too narrow: with width 2 a word sees itself and the one before it."},
         {maximum(table(nn::sliding_window(2)), table(first)),
          "The window looks ahead: the second word sees the third."},
         {table(nn::Mask::causal()), "Everything before is seen. Where does the window end?"},
         {table(first), "Only the first word is seen. The window is missing."},
         {maximum(table(window), 1 - table(nn::Mask::causal())),
          "All later words are seen: there query − key is below 0, and so below the width, too."},
         {maximum(maximum(table(window), table(first)), 1 - table(nn::Mask::causal())),
          "All later words are seen: there query − key is below 0, and so below the width, too."},
         {1 - right, "1 means: may be seen. Here it marks what is hidden."}});
    exercises::expect("nine words, width 4", window_with_first(4).table({9, 9}),
                      maximum((nn::sliding_window(4) & nn::Mask::causal()).table({9, 9}), first.table({9, 9})));
    exercises::expect(
        "one query at position 6, eight keys, width 3", window_with_first(3).at(6).table({1, 8}),
        tensor({{1, 0, 0, 0, 1, 1, 1, 0}}),
        {{tensor({{1, 0, 0, 0, 0, 0, 0, 0}}),
          "Whole texts work. When a model writes, its one query stands at a later position. Compute with the positions "
          "that the condition is given; do not count rows."}});
  });
}
