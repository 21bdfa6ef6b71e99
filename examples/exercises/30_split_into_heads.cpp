// 30. Split into heads · grade 1 · chapter 07_heads
//
// After the projection each word has E features, x (B, L, E), and H heads are to share them: head 0 gets the first E/H
// of each word, head 1 the next ones, and so on, (B, H, L, E/H). Numbers are neither added nor multiplied, only put
// elsewhere. But it is easily done wrongly, for one call makes the right shape of the wrong numbers. Then a head sees
// pieces of several words, and no error is raised.
//
// Hint: Cut the last axis in two first, (B, L, H, E/H): features that belong together stay together. Then two axes
// change places: transpose(x, 1, 2), or permute.
#include "examples/exercises/exercise.h"
#include "tensor/all.h"

using namespace regard;

// TODO: return x (B, L, E), cut into heads: (B, H, L, E/H). Write it with the functions of tensor/view.h.
Tensor cut_into_heads(const Tensor& x, std::int64_t heads) {
  return reshape(x, {x.size(0), heads, x.size(1), x.size(2) / heads});
}

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const Tensor words = tensor({{{11, 12}, {21, 22}, {31, 32}}});
    exercises::expect("one text of three words, in two heads", cut_into_heads(words, 2),
                      tensor({{{{11}, {21}, {31}}, {{12}, {22}, {32}}}}),
                      {{reshape(words, {1, 2, 3, 1}),
                        "Head 0 has both features of word 1 and one of word 2. It should have the first feature of "
                        "each word: 11, 21, 31."},
                       {reshape(words, {1, 3, 2, 1}),
                        "The features are cut as they should be, (B, L, H, E/H). Now heads and words change places."},
                       {tensor({{{{11, 21, 31}}, {{12, 22, 32}}}}),
                        "Each head has got the right features, but words and features have changed places: (B, H, L, "
                        "E/H) is wanted."},
                       {reshape(transpose(words, 1, 2), {1, 3, 2, 1}), "That is (B, L, H, E/H), and mixed up, too."}});

    // Two of everything: so that all ways to cut fit, right or wrong. 142: text 1, word 4, feature 2.
    const Tensor two =
        tensor({{{111, 112, 113, 114}, {121, 122, 123, 124}}, {{211, 212, 213, 214}, {221, 222, 223, 224}}});
    const Tensor cut = reshape(two, {2, 2, 2, 2});
    exercises::expect(
        "two texts of two words of four features, in two heads", cut_into_heads(two, 2),
        tensor({{{{111, 112}, {121, 122}}, {{113, 114}, {123, 124}}},
                {{{211, 212}, {221, 222}}, {{213, 214}, {223, 224}}}}),
        {{cut, "The head stands where the word should be: no axes have changed places."},
         {permute(cut, {0, 3, 1, 2}),
          "Head 0 has got features 1 and 3. It should have 1 and 2: the axis of length E is (H, E/H), with the head "
          "first."},
         {permute(cut, {0, 3, 2, 1}), "The axes of words and features have changed places with heads."},
         {permute(cut, {0, 2, 3, 1}), "Features and words have changed places: it should be (B, H, L, E/H)."},
         {permute(cut, {2, 0, 1, 3}), "The first axis is that of the texts, and stays where it is."}});
  });
}
