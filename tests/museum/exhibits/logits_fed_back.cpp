#include "autograd/all.h"
#include "tests/given.h"
#include "tests/museum/tools.h"

namespace regard::museum::logits_fed_back {

// museum: wrong
Tensor next_input_wrong(const Tensor& logits, const Tensor& table) {  // (B, V), (V, E) → (B, E)
  return matmul(softmax(logits, 1), table);
}
// museum: /wrong

// museum: right
Tensor next_input(const Tensor& logits, const Tensor& table) { return index_select(table, 0, argmax(logits, 1)); }
// museum: /right

const Hung on_the_wall({
    .name = "logits_fed_back",
    .title = "Probabilities are fed back, not a token",
    .looks = "In training all is well. In writing, the first word is right, and then sentences blur: the model reads a "
             "mixture of all words, which it has never seen.",
    .common =
        "It happens in decoders that are written by hand, where the output of one step is at once the input of the "
        "next. It saves the trouble of a choice, and a gradient can flow through it, which is sometimes wanted.",
    .lesson = "What is read in writing must be what is read in training: a row of the table. Feed back the number of a "
              "token. Then a wrong step is seen, too: the table of this library takes whole numbers only, and refuses "
              "logits by their type.",
    .look =
        [](bool wrong) {
          const Tensor logits = noise({3, 5}, 1), table = noise({5, 4}, 2);
          const Tensor read = wrong ? next_input_wrong(logits, table) : next_input(logits, table);
          const Tensor distances = sum(square(unsqueeze(read, 1) - unsqueeze(table, 0)), 2);  // to each row
          return by_law("each input is a row of the table", min(distances, 1), zeros({3}, DType::f64));
        },
});

}  // namespace regard::museum::logits_fed_back
