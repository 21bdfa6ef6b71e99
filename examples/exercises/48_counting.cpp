// 48. Counting · grade 1 · chapter 16_cost
//
// "Attention costs n²", people say, and so a lot of work went into making it cheaper. But how large a part of a model
// is it? Take a layer that is E = 768 wide, with 12 heads of 64 features and a feed-forward part that is 4E wide, as in
// GPT-2. It reads n = 2304 tokens, which is 3E. Count multiply-adds as the chapter does, without the softmax, and then
// the memory.
//
// Hint: Count in units of n·E². A product of (n, E) and (E, E) is 1. What are the scores of all heads together, with
// n = 3E? One KiB is 1024 bytes, and one MiB is 1024 KiB.
#include "examples/exercises/exercise.h"

using namespace regard;

// TODO: count on paper, and type the numbers. For a fraction write 3.0 / 4: in C++ 3 / 4 of whole numbers is 0.
const double share = 0;    // the part of all multiply-adds of the layer that is for pairs: between 0 and 1
const double twice = 0;    // a text of 4608 tokens costs the layer so many times as much
const double weights = 0;  // the weights of all pairs and heads in f32 take so many MiB
const double kept = 0;     // fused attention keeps for the way back, beside the output, so many KiB for all heads

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    exercises::expect_typed(
        "the share of pairs", share, 6.0 / 18,
        {{0,
          "Begin with the table of the chapter: scores and outputs are for pairs, the other parts are for single "
          "rows."},
         {3.0 / 15, "A pair costs twice: once for its score, once when its value is added to the output."},
         {6.0 / 10, "The feed-forward part is missing. It has most of the multiply-adds."},
         {6.0 / 14, "Queries, keys, values and what mixes the heads are four products more."},
         {6.0 / 17, "Attention multiplies with four matrices: W_o mixes the heads."},
         {72.0 / 84, "A head has 64 of the 768 features. All twelve together cost as much as one that has all."},
         {0.5 / 12.5, "These are the pairs of one head."},
         {6.0 / 12, "That is the pairs divided by the rest. Divide by the whole."}});
    exercises::expect_typed("how many times as much a text of 4608 tokens costs", twice, (4 * 6 + 2 * 12) / 18.0,
                            {{0, "The pairs are now four times as many. And the rest?"},
                             {2, "That would be right if there were no pairs."},
                             {4, "That would be right if there were nothing but pairs."}});
    exercises::expect_typed("the memory of all weights, in MiB", weights, 243,
                            {{0, "There is a weight for each pair in each head, and it has four bytes."},
                             {20.25, "That is one head."},
                             {60.75, "These are millions of numbers (of 1024·1024). A number of f32 has four bytes."},
                             {486, "That would be f64, with eight bytes for a number."},
                             {254.803968, "One MiB is 1024·1024 bytes, and not a million."},
                             {486 * 64, "The features play no part: a weight is one number for each pair."}});
    exercises::expect_typed(
        "the memory that fused attention keeps, in KiB", kept, 216,
        {{0, "What does it keep for each query, so that every weight can be computed again?"},
         {18, "That is one head."},
         {108, "For each query it keeps two numbers: the largest score, and the sum of the powers."},
         {54, "These are thousands of numbers (of 1024). A number of f32 has four bytes."},
         {432, "That would be f64, with eight bytes for a number."},
         {221.184, "One KiB is 1024 bytes, and not a thousand."}});
  });
}
