// 41. How many parameters? · grade 1 · chapter 12_the_transformer
//
// "A model with 124 million parameters": where are they? You will see such numbers everywhere, and they are easily
// counted. Here is a GPT that is small enough for a sheet of paper. Each token has E = 32 features. A block has
// attention with 2 heads, and a feed-forward part that is 4E = 128 wide. Each of its matrices has a bias, a number for
// each feature that comes out. There is a LayerNorm in front of each of the two parts.
// The model has 3 such blocks, and one more LayerNorm behind them. It knows 100 tokens and 64 positions, which are
// learned. Its output is tied.
//
// Hint: Heads cut the 32 features into parts, and add none. A LayerNorm multiplies each feature by a number, and adds
// another one to it. And what does "tied" say about the output layer?
#include "examples/exercises/exercise.h"
#include "examples/published/published.h"

using namespace regard;

// TODO: count on paper, and type the numbers.
const double matrices = 0;  // in the matrices of one block, without biases and norms
const double block = 0;     // in one block, with them
const double model = 0;     // in the whole model

// ---- This is what checks it. ----

namespace {

double count(std::int64_t layers) {
  Generator generator(1);
  nn::Gpt gpt = nn::make_gpt({.model = 32, .layers = layers, .heads = 2, .vocabulary = 100, .longest = 64}, generator);
  return static_cast<double>(nn::parameter_count(gpt));
}

}  // namespace

int main() {
  return exercises::exercise([] {
    exercises::expect_typed(
        "the matrices of one block", matrices, 12 * 32 * 32,
        {{0, "Begin with attention: which four matrices has it, and how large is each?"},
         {11 * 1024, "Attention has a fourth matrix, W_o, which mixes what the heads have found."},
         {4 * 1024, "That is attention. The feed-forward part has two matrices."},
         {8 * 1024, "That is the feed-forward part alone, or attention and only one of the two matrices behind it."},
         {16 * 1024, "Two heads share the 32 features, 16 each: all heads together have as many as one would have."},
         {12 * 32, "A matrix from 32 features to 32 has 32·32 numbers."}});
    exercises::expect_typed(
        "one block with biases and norms", block, count(3) - count(2),
        {{0, "Now add the biases of all six matrices, and two LayerNorms."},
         {matrices, "Now add the biases of all six matrices, and two LayerNorms."},
         {12416, "The biases are missing: one for each feature that comes out of a matrix."},
         {12576, "128 are missing. The four biases of attention are as many, and so are the two LayerNorms."},
         {12640, "A LayerNorm has 32 factors and 32 numbers that are added, and a block has two of them."},
         {12608, "The bias behind the first matrix of the feed-forward part has 128 numbers."},
         {12544, "The biases of the feed-forward part are missing."}});
    exercises::expect_typed(
        "the whole model", model, count(3),
        {{0, "Three blocks, and what stands in front of them and behind them."},
         {3 * block, "What is missing is in front of the blocks and behind them."},
         {count(3) + 3200, "Tied means that the output layer uses the table of the embedding again."},
         {count(3) - 64, "Is it the LayerNorm behind the blocks that is missing?"},
         {count(3) - 2048, "Positions are learned: a row of 32 numbers for each of the 64."},
         {count(3) - 3200, "The table of tokens is missing."},
         {count(3) - 2048 - 64, "A row for each position is missing, and the last LayerNorm."},
         {count(3) - 2 * block, "There are three blocks."}});
  });
}
