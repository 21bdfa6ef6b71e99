// 15. A causal mask · grade 1 · chapter 04_masks
//
// A word may look at itself and at those before it: 1 where a query may see a key, 0 elsewhere. That is a triangle, and
// tril(ones) makes it, as long as there are as many queries as keys. Then the model begins to write. Now there is a
// single query, that of the newest word, with all keys so far; the triangle of shape (1, 5) lets it see the first word
// only. The model forgets whatever it has just said.
//
// What counts is the position. The function below knows at which position the first query stands, but does not use it.
//
// Hint: arange(n) counts 0, 1, …, n − 1. Positions of queries as a column, of keys as a row, and one comparison of the
// two: less_equal, or greater_equal.
#include "examples/exercises/exercise.h"
#include "nn/all.h"

using namespace regard;

// TODO: return the table (queries, keys) of 0 and 1. Query i stands at position offset + i, key j at position j. Use
// whatever the library has but nn::Mask.
Tensor causal_mask(int queries, int keys, int offset) { return tril(ones({queries, keys}), -1); }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    exercises::expect(
        "three queries, three keys", causal_mask(3, 3, 0), tensor({{1, 0, 0}, {1, 1, 0}, {1, 1, 1}}),
        {{tensor({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}}),
          "A word may see itself, too. Here the first one sees nothing at all."},
         {tensor({{1, 1, 1}, {0, 1, 1}, {0, 0, 1}}),
          "A row is a query: the first one sees all, the last one only itself. It should be the other way round."},
         {tensor({{0, 1, 1}, {0, 0, 1}, {0, 0, 0}}), "1 means: may be seen. Here it marks what is hidden."},
         {ones({3, 3}), "Nothing is hidden."}});
    exercises::expect(
        "one query at position 3, five keys", causal_mask(1, 5, 3), tensor({{1, 1, 1, 1, 0}}),
        {{tensor({{1, 0, 0, 0, 0}}), "The query stands at position 3. Here it was taken for the first word."},
         {tensor({{0, 0, 0, 0, 0}}),
          "It sees nothing. Was the offset subtracted? The query stands later, not earlier."},
         {tensor({{0, 0, 0, 1, 1}}), "The query sees the keys from its position on. It should be those up to it."},
         {tensor({{1, 1, 1, 0, 0}}), "A word may see itself, too: this one stands at position 3."},
         {tensor({{1, 1, 1, 1, 1}}),
          "Key 4 comes later than the query at position 3. Are the last query and the last key taken for the same "
          "word? The offset says where a query stands."}});
    exercises::expect("two queries at positions 1 and 2, four keys", causal_mask(2, 4, 1),
                      tensor({{1, 1, 0, 0}, {1, 1, 1, 0}}));
  });
}
